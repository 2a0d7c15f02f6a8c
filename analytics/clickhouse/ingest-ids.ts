import type { ClickHouse } from './client.ts';
import { deadLetterRecordsTable } from './tables/dead-letter-records.ts';
import { eventsTable } from './tables/events.ts';

/** Which of the ids have landed, as events or dead letters, in the last 24 hours of receipt. */
export async function landedIngestIds(clickhouse: ClickHouse, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const from = (table: string): string => `SELECT ingest_id FROM ${clickhouse.table(table)}
    WHERE received >= now64(3) - INTERVAL 24 HOUR AND ingest_id IN {ids:Array(String)} AND ingest_id != ''`;
  const rows = await clickhouse.rows<{ ingest_id: string }>(
    'look ingest ids up',
    `${from(eventsTable.name)} UNION DISTINCT ${from(deadLetterRecordsTable.name)}`,
    { params: { ids: [...new Set(ids)] } },
  );
  return new Set(rows.map((row) => row.ingest_id));
}
