import { Table, type TableThProps } from '@mantine/core';

/** A column header: its text, or its text with a width, or with `wideOnly` for a column that only wide screens show. */
export type Head = string | ({ readonly label: string; readonly wideOnly?: true } & Pick<TableThProps, 'w' | 'ta'>);

/** The header row of a table. */
export function HeadRow({ columns }: { readonly columns: readonly Head[] }) {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map((column) => {
          const { label, wideOnly = false, w, ta } = typeof column === 'string' ? { label: column } : column;
          return (
            <Table.Th key={label} scope="col" w={w} ta={ta} {...(wideOnly ? { visibleFrom: 'sm' } : {})}>
              {label}
            </Table.Th>
          );
        })}
      </Table.Tr>
    </Table.Thead>
  );
}
