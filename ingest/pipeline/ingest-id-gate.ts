import type { Gate } from './pipeline-lane.ts';

/**
 * Records that carry an ingest id wait here until it is known which of them ClickHouse holds already: a sender that got
 * no answer may send again, and a redrive may be repeated, without doubling anything.
 */
export function createIngestIdGate(lookUp: (ids: readonly string[]) => Promise<ReadonlySet<string>>): Gate {
  return {
    prepare(records, state) {
      const ids: string[] = [];
      for (let i = 0; i < records.length; i++) {
        const ingestId = records.ingestId(i);
        if (ingestId !== '' && !state.recentIds.has(ingestId)) ids.push(ingestId);
      }
      if (ids.length === 0) return undefined;
      return lookUp(ids).then((landed) => {
        state.landedIds = landed;
      });
    },
  };
}
