import type { ClickHouse } from './client.ts';
import { createBlockWriter } from './native/block-writer.ts';
import { insertStatement, type Table } from './table.ts';

export interface InsertOptions {
  /** Deduplication token. In a table with a deduplication window, rows sent again with the same token are dropped. */
  readonly token?: string;
  readonly signal?: AbortSignal;
}

/**
 * Inserts rows outside any chain, in one block. The table must collapse repeats, or tolerate them, or have a
 * deduplication window.
 */
export async function insertRows<Row>(
  clickhouse: ClickHouse,
  table: Table<Row>,
  rows: Iterable<Row>,
  options: InsertOptions = {},
): Promise<void> {
  const writer = createBlockWriter(table.columns);
  for (const row of rows) writer.add(row);
  if (writer.rows > 0) await insertBlock(clickhouse, table, writer.pieces(), options);
}

/** Like `insertRows`, for an encoded block in consecutive pieces. */
export async function insertBlock<Row>(
  clickhouse: ClickHouse,
  table: Pick<Table<Row>, 'name' | 'withoutQuorum'>,
  block: Iterable<Buffer>,
  { token, signal }: InsertOptions = {},
): Promise<void> {
  const insert = insertStatement(clickhouse.database, table.name);
  const settings = {
    ...(token === undefined ? {} : { insert_deduplication_token: token }),
    ...(clickhouse.replicas !== undefined && table.withoutQuorum ? { insert_quorum: '0' } : {}),
  };
  await clickhouse.insert(`write ${table.name}`, insert, block, {
    settings,
    ...(signal === undefined ? {} : { signal }),
  });
}
