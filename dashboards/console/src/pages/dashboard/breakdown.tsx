import { Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { HeadRow } from '../../parts/head-row.tsx';

/** Table of the most frequent values, below a plot. Its region is focusable, because it scrolls. */
export function Breakdown<Row>({
  label,
  rows,
  columns,
  rowId,
  empty,
}: {
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first names the row. */
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
  return (
    <div className="tl-scroll" role="region" aria-label={label} tabIndex={0} style={{ maxHeight: '16rem' }}>
      <Table stickyHeader fz="xs" mt="xs" horizontalSpacing="xs" verticalSpacing={4}>
        <HeadRow columns={columns.map(([header]) => header)} />
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowId(row)}>
              {columns.map(([header, cell], index) =>
                index === 0 ? (
                  <Table.Th key={header} scope="row" fw={400} title={rowId(row)}>
                    {cell(row)}
                  </Table.Th>
                ) : (
                  <Table.Td key={header}>{cell(row)}</Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
