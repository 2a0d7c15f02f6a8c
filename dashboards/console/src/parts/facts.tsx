import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { visible } from './visible.ts';

/** What is known of one thing: names and values. A value that is one long word is broken, so that the names keep their place. */
export function Facts({
  facts,
  narrow = false,
  panel = false,
}: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  /** In a rail, where the names get less room. */
  readonly narrow?: boolean;
  /** On a panel of its own, where no section is around it. */
  readonly panel?: boolean;
}) {
  const table = (
    <Table className="tl-facts" verticalSpacing={6} layout="fixed">
      <Table.Tbody>
        {facts.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" w={narrow ? '6.2rem' : { base: '8rem', sm: '10rem' }}>
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
  if (!panel) return table;
  return (
    <Paper withBorder px="sm" py={4}>
      {table}
    </Paper>
  );
}
