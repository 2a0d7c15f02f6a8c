import { chainBlock } from './block-builder.ts';
import { laneKey } from './chain-table.ts';
import type { ClickHouse, Shards } from './client.ts';
import { createDeadLetterBlocks } from './dead-letter-block.ts';
import { detectionRow } from './detection-rows.ts';
import { createEventBlocks } from './event-block.ts';
import { landedIngestIds } from './ingest-ids.ts';
import { insertRows } from './insert-rows.ts';
import { createLaneChain } from './lane-chain.ts';
import { createLaneShards } from './lane-shards.ts';
import type { LandingStore, Lane } from './port.ts';
import { replayEvents } from './replay.ts';
import { createReplicatedChain } from './replicated-chain.ts';
import { createSnapshots } from './snapshots.ts';
import type { ChainedTable } from './table.ts';
import { deadLetterRecordsTable } from './tables/dead-letter-records.ts';
import { detectionRecordsTable } from './tables/detection-records.ts';
import { detectionTracesTable } from './tables/detection-traces.ts';
import { eventsTable } from './tables/events.ts';

/**
 * Creates the store into which the pipeline inserts. The tables must exist; see `migrate`. Several stores, in any
 * processes, may work on the same lanes.
 */
export function createLandingStore({ clickhouse }: { clickhouse: ClickHouse }): LandingStore {
  const { shards } = clickhouse;
  return {
    ...(shards === undefined ? createLaneStore(clickhouse) : createShardedLaneStore(shards)),
    openEvents: createEventBlocks(),
    openDeadLetters: createDeadLetterBlocks(),
    landDetections(detections) {
      const receivedMs = Date.now();
      return insertRows(
        clickhouse,
        detectionRecordsTable,
        detections.map((detection) => detectionRow(detection, receivedMs)),
      );
    },
    landDetectionTraces(traces) {
      const receivedMs = Date.now();
      return insertRows(
        clickhouse,
        detectionTracesTable,
        traces.map((trace) => ({ ...trace, receivedMs })),
      );
    },
    landedIngestIds: (ids) => landedIngestIds(clickhouse, ids),
  };
}

/** The operations of a lane on its own storage: one server, or the replicas of one shard. */
type LaneStore = Pick<
  LandingStore,
  'marks' | 'landEvents' | 'landDeadLetters' | 'latestSnapshot' | 'saveSnapshot' | 'replay'
>;

function createLaneStore(clickhouse: ClickHouse): LaneStore {
  const chainOf = <Row>(table: ChainedTable<Row>) =>
    clickhouse.replicas === undefined
      ? createLaneChain(clickhouse, table)
      : createReplicatedChain(clickhouse, clickhouse.replicas, table);
  const events = chainOf(eventsTable);
  const deadLetters = chainOf(deadLetterRecordsTable);
  const snapshots = createSnapshots(clickhouse);
  return {
    async marks(lane) {
      const [event, deadLetter] = await Promise.all([events.tip(lane), deadLetters.tip(lane)]);
      return { events: event.offset, deadLetters: deadLetter.offset };
    },
    landEvents: (block, mark) => events.land(chainBlock(block), mark),
    landDeadLetters: (block, mark) => deadLetters.land(chainBlock(block), mark),
    latestSnapshot: (lane, mark) => snapshots.latest(lane, mark),
    saveSnapshot: (lane, offset, chunks) => snapshots.save(lane, offset, chunks),
    replay: (lane, after, upTo) => replayEvents(clickhouse, lane, after, upTo),
  };
}

/**
 * Routes each lane to its shard. The shard is looked up when a lane is opened (`marks`) and cached until the lane is
 * opened again.
 */
function createShardedLaneStore(shards: Shards): LaneStore {
  const laneShards = createLaneShards(shards);
  const stores = new Map(shards.all.map((shard) => [shard, createLaneStore(shard.clickhouse)]));
  const known = new Map<string, LaneStore>();

  async function open(lane: Lane): Promise<LaneStore> {
    const store = stores.get(await laneShards.shardOf(lane)) as LaneStore;
    known.set(laneKey(lane), store);
    return store;
  }
  const storeOf = async (lane: Lane): Promise<LaneStore> => known.get(laneKey(lane)) ?? open(lane);

  return {
    marks: async (lane) => (await open(lane)).marks(lane),
    landEvents: async (block, mark) => (await storeOf(chainBlock(block).lane)).landEvents(block, mark),
    landDeadLetters: async (block, mark) => (await storeOf(chainBlock(block).lane)).landDeadLetters(block, mark),
    latestSnapshot: async (lane, mark) => (await storeOf(lane)).latestSnapshot(lane, mark),
    saveSnapshot: async (lane, offset, chunks) => (await storeOf(lane)).saveSnapshot(lane, offset, chunks),
    async *replay(lane, after, upTo) {
      yield* (await storeOf(lane)).replay(lane, after, upTo);
    },
  };
}
