import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';
import type { BenchContext } from './context.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { generateEvents } from './generated-events.ts';
import { type BenchRow, boundRow } from './row.ts';
import { untilMerged } from './until-merged.ts';

interface Size {
  readonly rows: string;
  readonly bytes: string;
  /** Size of the columns; the remaining bytes are indexes and marks. */
  readonly columns: string;
}

/** Measures the disk space of an event in ClickHouse after its parts are merged, with generated events of 30 days. */
export async function benchStoredBytes({ clickHouse, stored, progress }: BenchContext): Promise<BenchRow[]> {
  return withFreshDatabase(clickHouse, async (clickhouse) => {
    await generateEvents(clickhouse, stored, progress);
    const landed = await sizeOf(clickhouse);
    progress(`events are merged: ${await untilMerged(clickhouse)}`);
    const merged = await sizeOf(clickhouse);
    const [text] = await clickhouse.rows<{ bytes: string }>(
      'measure the text of events',
      `SELECT avg(length(raw)) AS bytes FROM ${clickhouse.table('events')}`,
    );
    const each = (bytes: string) => Number(bytes) / Number(merged.rows);
    return [
      boundRow('text of an event as it was sent', 'bytes', Number(text?.bytes), null),
      boundRow('stored bytes of an event as it landed', 'bytes', each(landed.bytes), null),
      boundRow('the same when its parts are merged', 'bytes', each(merged.bytes), null),
      boundRow('of these columns', 'bytes', each(merged.columns), null),
    ];
  });
}

async function sizeOf(clickhouse: ClickHouse): Promise<Size> {
  const [size] = await clickhouse.rows<Size>(
    'measure the parts of events',
    `SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes, sum(data_compressed_bytes) AS columns
     FROM system.parts WHERE active AND database = {database:String} AND table = {table:String}`,
    { params: { database: clickhouse.database, table: eventsTable.name } },
  );
  if (size === undefined) throw new Error('the table of events has no parts');
  return size;
}
