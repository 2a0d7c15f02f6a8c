import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { visible } from './visible.ts';

/** Names and values of one item. A long word in a value is broken, so that the names stay aligned. */
export function Facts({
  facts,
  narrow = false,
  panel = false,
}: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
  /** True in a side column, with less space for the names. */
  readonly narrow?: boolean;
  /** True if it needs a panel of its own, because it is outside a section. */
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
