import type { ClickHouse } from './client.ts';
import { requireMajority } from './majority.ts';
import { deadLetterRecordsTable } from './tables/dead-letter-records.ts';
import { eventsTable } from './tables/events.ts';

/**
 * Maximum size of the ids in one query, with every byte counted as escaped. The server rejects a parameter above 128
 * KiB (`http_max_field_value_size`).
 */
const MAX_PARAMETER_BYTES = 100_000;
/**
 * Maximum length of an id. No legitimate sender uses longer ones. They count as not stored, so that they cannot block a
 * lane.
 */
const MAX_ID_BYTES = 4_096;

/**
 * Prefix of the ids of dead letters that are sent again. An operator may do so days after a first attempt that was
 * interrupted before its result was recorded.
 */
const REDRIVE = 'redrive:';

/**
 * Returns which of the ids are stored as events or dead letters received in the last 24 hours. Ids of redrives match
 * events of any age, because a redrive that was rejected may be tried again. On replicas, rejects with a temporary
 * failure while a majority of them lacks one of the rows. Such a row may still be lost, and with it the record that was
 * dropped as its repeat.
 */
export async function landedIngestIds(clickhouse: ClickHouse, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (clickhouse.shards === undefined) return landedOnOne(clickhouse, ids);
  // A record that is sent again may arrive in another partition, and so in another shard.
  const landed = await Promise.all(clickhouse.shards.all.map((shard) => landedOnOne(shard.clickhouse, ids)));
  return new Set(landed.flatMap((some) => [...some]));
}

async function landedOnOne(clickhouse: ClickHouse, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { replicas } = clickhouse;
  if (replicas === undefined) return lookUp(clickhouse, ids);
  await Promise.all([eventsTable, deadLetterRecordsTable].map(({ name }) => replicas.catchUp(name)));
  const landed = await lookUp(clickhouse, ids);
  if (landed.size > 0)
    await requireMajority(clickhouse, replicas, eventsTable.name, async (server, signal) => {
      const held = await lookUp(server, [...landed], signal);
      return held.size === landed.size;
    });
  return landed;
}

async function lookUp(
  clickhouse: ClickHouse,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = (table: string, when: string): string =>
    `SELECT ingest_id FROM ${clickhouse.table(table)} WHERE ${when} AND ingest_id IN {ids:Array(String)}`;
  const lately = 'received >= now64(3) - INTERVAL 24 HOUR';
  const queries = {
    usual: `${found(eventsTable.name, lately)} UNION DISTINCT ${found(deadLetterRecordsTable.name, lately)}`,
    redrive: found(eventsTable.name, 'true'),
  };
  const landed = new Set<string>();
  const kinds = Object.groupBy(new Set(ids), (id) => (id.startsWith(REDRIVE) ? 'redrive' : 'usual'));
  for (const kind of ['usual', 'redrive'] as const) {
    for (const some of portions(kinds[kind] ?? [])) {
      const params = { ids: some };
      const rows = await clickhouse.rows<{ ingest_id: string }>('look up ingest ids', queries[kind], {
        params,
        ...(signal === undefined ? {} : { signal }),
      });
      for (const { ingest_id: id } of rows) landed.add(id);
    }
  }
  return landed;
}

function* portions(ids: Iterable<string>): Generator<string[]> {
  let portion: string[] = [];
  let bytes = 0;
  for (const id of ids) {
    const size = Buffer.byteLength(id);
    // The empty id means that the sender gave none.
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
