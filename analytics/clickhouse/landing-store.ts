import { chainBlock } from './block-builder.ts';
import type { ClickHouse } from './client.ts';
import { createDeadLetterBlocks } from './dead-letter-block.ts';
import { detectionRow } from './detection-rows.ts';
import { createEventBlocks } from './event-block.ts';
import { landedIngestIds } from './ingest-ids.ts';
import { insertRows } from './insert-rows.ts';
import { createLaneChain } from './lane-chain.ts';
import type { LandingStore } from './port.ts';
import { replayEvents } from './replay.ts';
import { createReplicatedChain } from './replicated-chain.ts';
import { createSnapshots } from './snapshots.ts';
import type { ChainedTable } from './table.ts';
import { deadLetterRecordsTable } from './tables/dead-letter-records.ts';
import { detectionRecordsTable } from './tables/detection-records.ts';
import { eventsTable } from './tables/events.ts';

/** Where the pipeline lands. The tables must be there: see `migrate`. Several stores, in any processes, may work on the same lanes. */
export function createLandingStore({ clickhouse }: { clickhouse: ClickHouse }): LandingStore {
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
    openEvents: createEventBlocks(),
    openDeadLetters: createDeadLetterBlocks(),
    landEvents: (block, mark) => events.land(chainBlock(block), mark),
    landDeadLetters: (block, mark) => deadLetters.land(chainBlock(block), mark),
    landDetections(detections) {
      const receivedMs = Date.now();
      return insertRows(
        clickhouse,
        detectionRecordsTable,
        detections.map((detection) => detectionRow(detection, receivedMs)),
      );
    },
    landedIngestIds: (ids) => landedIngestIds(clickhouse, ids),
    latestSnapshot: (lane, mark) => snapshots.latest(lane, mark),
    saveSnapshot: (lane, offset, chunks) => snapshots.save(lane, offset, chunks),
    replay: (lane, after, upTo) => replayEvents(clickhouse, lane, after, upTo),
  };
}
