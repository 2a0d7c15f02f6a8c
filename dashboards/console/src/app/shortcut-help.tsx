import { Group, Modal, Table } from '@mantine/core';
import { currentShortcuts } from '../parts/shortcuts.ts';
import { APP_TEXT } from './text.ts';

const TEXT = APP_TEXT.shortcuts;

export function ShortcutHelp({ opened, onClose }: { readonly opened: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={TEXT.title} closeButtonProps={{ 'aria-label': TEXT.close }}>
      <Table>
        <Table.Tbody>
          {(opened ? currentShortcuts() : []).map(({ keys, does }) => (
            <Table.Tr key={keys}>
              <Table.Th scope="row" w="6rem">
                <Group gap={4} wrap="nowrap">
                  {keys.split(' ').map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </Group>
              </Table.Th>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
