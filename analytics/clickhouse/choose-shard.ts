import type { ClickHouse, Shard, Shards } from './client.ts';
import { ClickHouseFailure } from './failure.ts';
import type { Lane } from './port.ts';
import { SPREAD_TABLES } from './tables/across-shards.ts';
import { laneShardsTable } from './tables/lane-shards.ts';
import { WrongShards } from './wrong-shards.ts';

/** ClickHouse error codes UNKNOWN_TABLE and UNKNOWN_DATABASE. A new shard gets its tables from `migrate`. */
const NO_TABLES = new Set(['60', '81']);

/**
 * Returns the name of the shard for a lane without a record: the shard that has rows of the lane, else the one with the
 * fewest lanes. Every shard must answer. Rejects with `WrongShards` if several shards have rows of the lane, or if a
 * shard that is not listed first has records.
 */
export async function chooseShard(shards: Shards, lane: Lane): Promise<string> {
  const found = await Promise.all(
    shards.all.map(async (shard) => ({ name: await shard.name(), ...(await tracesOf(shard, lane)) })),
  );
  const elsewhere = found.slice(1).find(({ hasRecords }) => hasRecords);
  if (elsewhere !== undefined)
    throw new WrongShards(
      `the shard ${elsewhere.name} has the records of lanes: it is the home shard and comes first in CLICKHOUSE_URL`,
    );
  const holders = found.filter(({ hasRows }) => hasRows).map(({ name }) => name);
  if (holders.length > 1)
    throw new WrongShards(
      `partition ${lane.partition} of ${lane.topic} has rows in the shards ${holders.join(' and ')}: keep those of one of them`,
    );
  const names = found.map(({ name }) => name);
  return holders[0] ?? leastUsedShard(names, await countLanes(shards.home), lane.partition);
}

/**
 * Returns the shard with the fewest lanes. For a tie, the choice depends on the lane's partition, so that lanes opened
 * concurrently get different shards.
 */
export function leastUsedShard(
  names: readonly string[],
  lanes: ReadonlyMap<string, number>,
  partition: number,
): string {
  const fewest = Math.min(...names.map((name) => lanes.get(name) ?? 0));
  const candidates = names.filter((name) => (lanes.get(name) ?? 0) === fewest);
  return candidates[partition % candidates.length] as string;
}

/** Returns the number of lanes by shard name, as recorded in the home shard. */
export async function countLanes({ clickhouse }: Shard): Promise<ReadonlyMap<string, number>> {
  const rows = await clickhouse.rows<{ shard: string; lanes: string }>(
    'count the lanes of shards',
    `SELECT shard, uniqExact(topic, partition) AS lanes FROM ${clickhouse.table(laneShardsTable.name)} GROUP BY shard`,
  );
  return new Map(rows.map(({ shard, lanes }) => [shard, Number(lanes)]));
}

/** Returns whether a shard has rows of a lane, and whether it has records of any lane. */
async function tracesOf(shard: Shard, lane: Lane): Promise<{ hasRows: boolean; hasRecords: boolean }> {
  const server = shard.clickhouse;
  const ofLane = 'topic = {topic:String} AND partition = {partition:UInt64}';
  try {
    const [hasRecords, ...hasRows] = await Promise.all([
      isThere(server, laneShardsTable.name, 'true', lane),
      ...SPREAD_TABLES.map((table) => isThere(server, table, ofLane, lane)),
    ]);
    return { hasRows: hasRows.includes(true), hasRecords };
  } catch (error) {
    if (!(error instanceof ClickHouseFailure && NO_TABLES.has(error.code))) throw error;
    const missing = new Error(`the shard ${await shard.name()} has no tables: run \`trapline migrate\``);
    throw new ClickHouseFailure('read the rows of a lane', Object.assign(missing, { code: 'SHARD_WITHOUT_TABLES' }));
  }
}

async function isThere(server: ClickHouse, table: string, where: string, lane: Lane): Promise<boolean> {
  await server.replicas?.catchUp(table);
  const rows = await server.rows('look for a lane', `SELECT 1 FROM ${server.table(table)} WHERE ${where} LIMIT 1`, {
    params: { ...lane },
  });
  return rows.length > 0;
}
