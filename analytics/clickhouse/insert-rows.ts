import type { ClickHouse } from './client.ts';
import { createBlockWriter } from './native/block-writer.ts';
import { insertStatement, type Table } from './table.ts';

/**
 * Inserts rows outside any chain, in one block. The table must be one in which repeats collapse or don't matter, or one with a window of
 * deduplication: then the same rows sent again with the same `token` are left out.
 */
export async function insertRows<Row>(
  clickhouse: ClickHouse,
  table: Table<Row>,
  rows: Iterable<Row>,
  options: { readonly token?: string; readonly signal?: AbortSignal } = {},
): Promise<void> {
  const writer = createBlockWriter(table.columns);
  for (const row of rows) writer.add(row);
  if (writer.rows === 0) return;
  const insert = insertStatement(clickhouse.database, table.name);
  await clickhouse.insert(`write ${table.name}`, insert, writer.pieces(), {
    ...(options.token === undefined ? {} : { settings: { insert_deduplication_token: options.token } }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}
