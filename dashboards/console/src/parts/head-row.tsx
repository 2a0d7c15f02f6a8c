import { Table, type TableThProps } from '@mantine/core';

/** The head of a column: what it says, or that with a width, or of one that only wide screens show. */
export type Head = string | ({ readonly label: string; readonly wideOnly?: true } & Pick<TableThProps, 'w' | 'ta'>);

/** The heads of a table's columns. */
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
