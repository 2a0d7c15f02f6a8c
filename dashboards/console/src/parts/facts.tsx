import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { visible } from './visible.ts';

/** What is known of one thing: names and values. A value that is one long word is broken, so that the names keep their place. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <Table mb="md" verticalSpacing={6} layout="fixed">
      <Table.Tbody>
        {facts.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={{ base: '7rem', sm: '10rem' }}>
              {name}
            </Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {typeof value === 'string' ? visible(value) : value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
