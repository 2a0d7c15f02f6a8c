import type { PackedRecords } from './packed-records.ts';
import type { Gate } from './pipeline-lane.ts';
import type { LaneState } from './record-steps.ts';

/** If a lookup has this many ids, it includes no later chunks: the server reads more of the table per id. */
const MAX_IDS_WITH_AHEAD = 100;

/**
 * Delays records with an ingest id until ClickHouse has returned which of them are stored. A sender without a response
 * can send again, and a redrive can be repeated, without duplicates. One lookup also covers later chunks of the queue.
 * Otherwise a lane with many small requests would send one query per chunk, and a query costs much more than an id.
 */
export function createIngestIdGate(lookUp: (ids: readonly string[]) => Promise<ReadonlySet<string>>): Gate {
  return {
    prepare(records, state, behind) {
      if (state.askedAhead.delete(records)) return undefined;
      const ids = unknownIds(records, state);
      if (ids.length === 0) return undefined;
      const ahead = new Set<PackedRecords>();
      // Ids must not be dropped while a chunk whose ids were already looked up is still queued.
      for (const next of state.recentIds.isFull() ? [] : behind) {
        if (ids.length + next.length > MAX_IDS_WITH_AHEAD) break;
        ids.push(...unknownIds(next, state));
        ahead.add(next);
      }
      return lookUp(ids).then((landed) => {
        state.landedIds = landed;
        state.askedAhead = ahead;
      });
    },
  };
}

function unknownIds(records: PackedRecords, { recentIds }: LaneState): string[] {
  const ids: string[] = [];
  for (let i = 0; i < records.length; i++) {
    const ingestId = records.ingestId(i);
    if (ingestId !== '' && !recentIds.has(ingestId)) ids.push(ingestId);
  }
  return ids;
}
