import type { ClickHouse } from './client.ts';
import { RowBinaryWriter } from './row-binary.ts';
import { insertStatement, type Table, writeRow } from './table.ts';

/** Inserts rows outside any chain. The table must be one in which repeats collapse or don't matter. */
export async function insertRows<Row>(clickhouse: ClickHouse, table: Table<Row>, rows: Iterable<Row>): Promise<void> {
  const writer = new RowBinaryWriter();
  for (const row of rows) writeRow(writer, table.columns, row);
  if (writer.length === 0) return;
  await clickhouse.insert(`write ${table.name}`, insertStatement(clickhouse.database, table), writer.bytes());
}
