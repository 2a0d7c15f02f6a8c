import type { ClickHouse, Replicas, Shard, Shards } from './client.ts';
import { ClickHouseFailure } from './failure.ts';
import { insertRows } from './insert-rows.ts';
import { countReplicas, missingRows, requireMajority } from './majority.ts';
import type { Lane } from './port.ts';
import { SPREAD_TABLES } from './tables/across-shards.ts';
import { eventsTable } from './tables/events.ts';
import { laneShardsTable } from './tables/lane-shards.ts';

/** Inserts with one token before the lane waits, see `replicated-chain.ts`. */
const MAX_REPEATS = 4;
/** Codes of ClickHouse: UNKNOWN_TABLE, UNKNOWN_DATABASE. A shard that was added gets its tables by `migrate`. */
const NO_TABLES = new Set(['60', '81']);

/** The shards in `CLICKHOUSE_URL` do not fit what is stored. */
export class WrongShards extends Error {
  override readonly name = 'WrongShards';
}

export interface LaneShards {
  /** The shard of a lane, as recorded. A lane without a record gets one. Rejects with `WrongShards` when its shard is not listed. */
  shardOf(lane: Lane): Promise<Shard>;
}

/**
 * Keeps each lane on one shard. The chain of a lane (`lane-chain.ts`) needs all its blocks in one place, so the choice is recorded in the
 * table `lane_shards` of the home shard and never computed again: another number of shards moves no lane.
 *
 *   1. the record is read from a replica that has caught up, and counts when a majority of the home shard has it
 *   2. without one, every shard is asked for rows of the lane: the shard that has them is recorded, else the one with the fewest lanes
 *   3. the record is inserted with a token of the lane, so that of several processes one wins, and is read again (1)
 */
export function createLaneShards({ home, all }: Shards): LaneShards {
  const { clickhouse } = home;
  const replicas = replicasOf(home);
  const name = clickhouse.table(laneShardsTable.name);
  const OF_LANE = 'topic = {topic:String} AND partition = {partition:UInt64}';
  /** Choices of this process wait for one another, because each counts the lanes that the one before recorded. */
  let choices: Promise<unknown> = Promise.resolve();

  async function recorded(server: ClickHouse, lane: Lane, signal?: AbortSignal): Promise<string | undefined> {
    const [row] = await server.rows<{ shard: string }>(
      'read the shard of a lane',
      `SELECT shard FROM ${name} WHERE ${OF_LANE} ORDER BY assigned, shard LIMIT 1`,
      { params: { ...lane }, ...(signal === undefined ? {} : { signal }) },
    );
    return row?.shard;
  }

  async function confirmed(lane: Lane): Promise<string | undefined> {
    for (;;) {
      const epoch = replicas.epoch();
      await replicas.catchUp(laneShardsTable.name);
      const shard = await recorded(clickhouse, lane);
      if (replicas.epoch() !== epoch) continue;
      if (shard === undefined) return undefined;
      await requireMajority(
        clickhouse,
        replicas,
        laneShardsTable.name,
        async (server, signal) => (await recorded(server, lane, signal)) === shard,
      );
      return shard;
    }
  }

  async function choose(lane: Lane): Promise<string> {
    const shards = await Promise.all(
      all.map(async (shard) => ({ name: await shard.name(), ...(await traces(shard, lane)) })),
    );
    const elsewhere = shards.slice(1).find(({ isRecorded }) => isRecorded);
    if (elsewhere !== undefined)
      throw new WrongShards(
        `the shard ${elsewhere.name} has the records of lanes: it is the home shard and comes first in CLICKHOUSE_URL`,
      );
    const holders = shards.filter(({ hasRows }) => hasRows).map((shard) => shard.name);
    if (holders.length > 1)
      throw new WrongShards(
        `partition ${lane.partition} of ${lane.topic} has rows in the shards ${holders.join(' and ')}: keep those of one of them`,
      );
    return holders[0] ?? (await leastUsed(lane));
  }

  /** Whether a shard has rows of a lane, and whether it has records of any lane. */
  async function traces(shard: Shard, lane: Lane): Promise<{ hasRows: boolean; isRecorded: boolean }> {
    const server = shard.clickhouse;
    try {
      const found = await Promise.all([
        ...SPREAD_TABLES.map((table) => isThere(server, table, OF_LANE, lane)),
        isThere(server, laneShardsTable.name, 'true', lane),
      ]);
      return { hasRows: found.slice(0, -1).includes(true), isRecorded: found.at(-1) === true };
    } catch (error) {
      if (!(error instanceof ClickHouseFailure && NO_TABLES.has(error.code))) throw error;
      throw new ClickHouseFailure(
        'read the rows of a lane',
        Object.assign(new Error(`the shard ${await shard.name()} has no tables: run \`trapline migrate\``), {
          code: 'SHARD_WITHOUT_TABLES',
        }),
      );
    }
  }

  async function isThere(server: ClickHouse, table: string, where: string, lane: Lane): Promise<boolean> {
    await server.replicas?.catchUp(table);
    const rows = await server.rows('look for a lane', `SELECT 1 FROM ${server.table(table)} WHERE ${where} LIMIT 1`, {
      params: { ...lane },
    });
    return rows.length > 0;
  }

  /** Of shards with equally few lanes, lanes that are opened at the same time take different ones. */
  async function leastUsed({ partition }: Lane): Promise<string> {
    const rows = await clickhouse.rows<{ shard: string; lanes: string }>(
      'count the lanes of shards',
      `SELECT shard, uniqExact(topic, partition) AS lanes FROM ${name} GROUP BY shard`,
    );
    const lanes = new Map(rows.map((row) => [row.shard, Number(row.lanes)]));
    const names = await Promise.all(all.map((shard) => shard.name()));
    return leastUsedShard(names, lanes, partition);
  }

  async function record(lane: Lane): Promise<string> {
    const token = `${laneShardsTable.name}/${lane.topic}/${lane.partition}`;
    for (let attempt = 0; attempt < MAX_REPEATS; attempt++) {
      const shard = await choose(lane);
      await insertRows(clickhouse, laneShardsTable, [{ ...lane, shard }], { token });
      const winner = await confirmed(lane);
      if (winner !== undefined) return winner;
    }
    throw missingRows('record the shard of a lane', 'ROWS_NOT_VISIBLE');
  }

  function recordNext(lane: Lane): Promise<string> {
    const recording = choices.then(() => record(lane));
    choices = recording.catch(() => {});
    return recording;
  }

  async function named(shard: string, lane: Lane): Promise<Shard> {
    const names = await Promise.allSettled(all.map((one) => one.name()));
    const found = all[names.findIndex((one) => one.status === 'fulfilled' && one.value === shard)];
    if (found !== undefined) return found;
    const failed = names.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    throw new WrongShards(
      `partition ${lane.partition} of ${lane.topic} is in the shard ${shard}, which CLICKHOUSE_URL does not list`,
    );
  }

  return {
    async shardOf(lane) {
      const shard = await named((await confirmed(lane)) ?? (await recordNext(lane)), lane);
      await requireListedMajority(shard);
      return shard;
    },
  };
}

/** The shard with the fewest lanes; of several, the one whose turn the partition is. */
export function leastUsedShard(
  names: readonly string[],
  lanes: ReadonlyMap<string, number>,
  partition: number,
): string {
  const fewest = Math.min(...names.map((shard) => lanes.get(shard) ?? 0));
  const candidates = names.filter((shard) => (lanes.get(shard) ?? 0) === fewest);
  return candidates[partition % candidates.length] as string;
}

/** Rejects when so few replicas of a shard are listed that an insert could be acknowledged without a majority. */
async function requireListedMajority(shard: Shard): Promise<void> {
  const listed = replicasOf(shard).all.length;
  const total = await countReplicas(shard.clickhouse, eventsTable.name);
  if (listed < Math.floor(total / 2) + 1)
    throw new WrongShards(
      `CLICKHOUSE_URL lists ${listed} of the ${total} replicas of the shard ${await shard.name()}: list a majority of them, better all`,
    );
}

function replicasOf({ clickhouse }: Shard): Replicas {
  if (clickhouse.replicas === undefined) throw new TypeError('a shard has replicas');
  return clickhouse.replicas;
}
