import { chooseShard } from './choose-shard.ts';
import type { ClickHouse, Replicas, Shard, Shards } from './client.ts';
import { insertRows } from './insert-rows.ts';
import { countReplicas, missingRows, requireMajority } from './majority.ts';
import type { Lane } from './port.ts';
import { eventsTable } from './tables/events.ts';
import { laneShardsTable } from './tables/lane-shards.ts';
import { WrongShards } from './wrong-shards.ts';

/** Number of inserts with one token before the lane waits; see `replicated-chain.ts`. */
const MAX_REPEATS = 4;

export interface LaneShards {
  /**
   * Returns the recorded shard of a lane, and records one if none exists. Rejects with `WrongShards` if the recorded
   * shard is not listed.
   */
  shardOf(lane: Lane): Promise<Shard>;
}

/**
 * Assigns each lane to one shard. The chain of a lane (`lane-chain.ts`) needs all its blocks on one shard. The choice
 * is therefore recorded in the table `lane_shards` of the home shard and never computed again: a different number of
 * shards moves no lane.
 *
 *   1. The record is read from a replica that has caught up. It counts if a majority of the home shard has it.
 *   2. Without a record, every shard is searched for rows of the lane. The shard that has rows is chosen, else the one
 *      with the fewest lanes.
 *   3. The record is inserted with a token of the lane, so that one of several processes wins. Then it is read again
 *      (1).
 */
export function createLaneShards(shards: Shards): LaneShards {
  const { home, all } = shards;
  const { clickhouse } = home;
  const replicas = replicasOf(home);
  const name = clickhouse.table(laneShardsTable.name);
  /** Serializes the choices of this process, because each counts the lanes that earlier choices recorded. */
  let choices: Promise<unknown> = Promise.resolve();

  async function recorded(server: ClickHouse, lane: Lane, signal?: AbortSignal): Promise<string | undefined> {
    const [row] = await server.rows<{ shard: string }>(
      'read the shard of a lane',
      `SELECT shard FROM ${name} WHERE topic = {topic:String} AND partition = {partition:UInt64} ORDER BY assigned, shard LIMIT 1`,
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

  async function record(lane: Lane): Promise<string> {
    const token = `${laneShardsTable.name}/${lane.topic}/${lane.partition}`;
    for (let attempt = 0; attempt < MAX_REPEATS; attempt++) {
      const shard = await chooseShard(shards, lane);
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

  return {
    async shardOf(lane) {
      const shard = await namedShard(all, (await confirmed(lane)) ?? (await recordNext(lane)), lane);
      await requireListedMajority(shard);
      return shard;
    },
  };
}

/** Returns the shard with a name. Rejects with `WrongShards` if all shards answer and none has it. */
async function namedShard(all: readonly Shard[], shard: string, lane: Lane): Promise<Shard> {
  const names = await Promise.allSettled(all.map((one) => one.name()));
  const found = all[names.findIndex((one) => one.status === 'fulfilled' && one.value === shard)];
  if (found !== undefined) return found;
  const failed = names.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  throw new WrongShards(
    `partition ${lane.partition} of ${lane.topic} is in the shard ${shard}, which CLICKHOUSE_URL does not list`,
  );
}

/** Rejects if so few replicas of a shard are listed that an insert could be acknowledged without a majority. */
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
