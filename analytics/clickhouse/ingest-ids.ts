import type { ClickHouse } from './client.ts';
import { deadLetterRecordsTable } from './tables/dead-letter-records.ts';
import { eventsTable } from './tables/events.ts';

/** The server refuses a parameter above 128 KiB (`http_max_field_value_size`). Counted as if every byte had to be escaped. */
const MAX_PARAMETER_BYTES = 100_000;
/** Longer ones no honest sender chooses; they are taken as never landed, so that one cannot stop a lane. */
const MAX_ID_BYTES = 4_096;

/** Which of the ids have landed, as events or dead letters, in the last 24 hours of receipt. */
export async function landedIngestIds(clickhouse: ClickHouse, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const landed = new Set<string>();
  for (const some of portions(new Set(ids))) {
    for (const id of await lookUp(clickhouse, some)) landed.add(id);
  }
  return landed;
}

async function lookUp(clickhouse: ClickHouse, ids: readonly string[]): Promise<string[]> {
  const from = (table: string): string => `SELECT ingest_id FROM ${clickhouse.table(table)}
    WHERE received >= now64(3) - INTERVAL 24 HOUR AND ingest_id IN {ids:Array(String)}`;
  const rows = await clickhouse.rows<{ ingest_id: string }>(
    'look ingest ids up',
    `${from(eventsTable.name)} UNION DISTINCT ${from(deadLetterRecordsTable.name)}`,
    { params: { ids } },
  );
  return rows.map((row) => row.ingest_id);
}

function* portions(ids: Iterable<string>): Generator<string[]> {
  let portion: string[] = [];
  let bytes = 0;
  for (const id of ids) {
    const size = Buffer.byteLength(id);
    // The empty id stands for "none was given".
    if (size === 0 || size > MAX_ID_BYTES) continue;
    if (bytes + 2 * size + 3 > MAX_PARAMETER_BYTES) {
      yield portion;
      portion = [];
      bytes = 0;
    }
    portion.push(id);
    bytes += 2 * size + 3;
  }
  if (portion.length > 0) yield portion;
}
