import { ActionIcon, Code, Popover, Table, Text, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { Icon } from '../icons.tsx';
import { HeadRow } from '../list/head-row.tsx';
import { useShortcuts } from '../shortcuts.ts';
import { PARTS_TEXT } from '../text.ts';
import { useDraft } from '../use-draft.ts';

const TEXT = PARTS_TEXT.search;

/** A search in the language of the parameter `q` of the API, applied on Enter or when the field loses focus. `/` focuses it. */
export function SearchInput({
  value,
  onSearch,
  fields,
  example = TEXT.example,
}: {
  readonly value: string | undefined;
  readonly onSearch: (q: string | undefined) => void;
  /** Names of the fields, for the help. */
  readonly fields: readonly string[];
  readonly example?: string;
}) {
  const draft = useDraft(value ?? '', (text) => onSearch(text === '' ? undefined : text));
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: '/', does: TEXT.label, run: () => input.current?.focus() }]);

  return (
    <TextInput
      ref={input}
      type="search"
      leftSection={<Icon name="search" />}
      label={TEXT.label}
      size="xs"
      flex="1 1 11rem"
      maxLength={1_000}
      spellCheck={false}
      autoComplete="off"
      placeholder={example}
      {...draft}
      rightSection={<SearchHelp fields={fields} />}
    />
  );
}

function SearchHelp({ fields }: { readonly fields: readonly string[] }) {
  return (
    <Popover width="min(30rem, 92vw)" position="bottom-end" withArrow trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <ActionIcon variant="subtle" size="sm" color="gray" c="dimmed" aria-label={TEXT.help}>
          ?
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={TEXT.help} tabIndex={-1}>
        <Table verticalSpacing={2} fz="xs">
          <HeadRow columns={[TEXT.columns.write, TEXT.columns.finds]} />
          <Table.Tbody>
            {TEXT.examples.map(([write, finds]) => (
              <Table.Tr key={write}>
                <Table.Td>
                  <Code>{write}</Code>
                </Table.Td>
                <Table.Td>{finds}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Text size="xs" mt="xs">
          {TEXT.fields(fields)}
        </Text>
      </Popover.Dropdown>
    </Popover>
  );
}
