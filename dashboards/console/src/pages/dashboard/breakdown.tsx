import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { HeadRow } from '../../parts/list/head-row.tsx';

/** Table of the most frequent values, below a plot. Its region can be focused, because it scrolls. */
export function Breakdown<Row>({
  label,
  rows,
  columns,
  rowId,
  empty,
}: {
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first column contains the row header. */
  readonly columns: readonly (readonly [header: string, cell: (row: Row) => ReactNode])[];
  readonly rowId: (row: Row) => string;
  readonly empty: string;
}) {
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed" mt="xs">
        {empty}
      </Text>
    );
  const numbers = new Set(
    columns.slice(1).flatMap(([header, cell]) => (isNumber(cell(rows[0] as Row)) ? [header] : [])),
  );
  return (
    <div className="tl-scroll" role="region" aria-label={label} tabIndex={0} style={{ maxHeight: '16rem' }}>
      <Table stickyHeader fz="xs" mt="xs" horizontalSpacing="xs" verticalSpacing={4}>
        <HeadRow columns={columns.map(([label]) => (numbers.has(label) ? { label, ta: 'end' } : label))} />
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowId(row)}>
              {columns.map(([header, cell], index) =>
                index === 0 ? (
                  <Table.Th key={header} scope="row" fw={400} title={rowId(row)}>
                    {cell(row)}
                  </Table.Th>
                ) : (
                  <Table.Td key={header} ta={numbers.has(header) ? 'end' : undefined}>
                    {cell(row)}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** Returns true if the content is a number, which is right-aligned. */
function isNumber(content: ReactNode): boolean {
  return typeof content === 'number' || (typeof content === 'string' && /^\d/.test(content));
}
