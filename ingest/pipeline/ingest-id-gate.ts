import type { PackedRecords } from './packed-records.ts';
import type { Gate } from './pipeline-lane.ts';
import type { LaneState } from './record-steps.ts';

/** With so many ids no chunk behind is asked for: the server reads more of the table for each id. */
const MAX_IDS_WITH_AHEAD = 100;

/**
 * Records that carry an ingest id wait here until it is known which of them ClickHouse holds already: a sender that got
 * no answer may send again, and a redrive may be repeated, without doubling anything. One question covers chunks behind the first one too: a lane
 * that catches up with many small requests would ask as often, and a question costs the server much more than an id.
 */
export function createIngestIdGate(lookUp: (ids: readonly string[]) => Promise<ReadonlySet<string>>): Gate {
  return {
    prepare(records, state, behind) {
      if (state.askedAhead.delete(records)) return undefined;
      const ids = unknownIds(records, state);
      if (ids.length === 0) return undefined;
      const ahead = new Set<PackedRecords>();
      // Ids are not forgotten while a chunk that was asked ahead is left.
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
