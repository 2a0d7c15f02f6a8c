import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { decidedSince } from '#analytics/clickhouse/read-models/decided-detections.ts';
import { getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import type { Detection } from '#schemas/detection.ts';

/**
 * A decision has the time of its creation, but becomes visible when it is copied to the lists. While ClickHouse is
 * unavailable, that takes longer.
 */
const OVERLAP_MS = 600_000;

/**
 * Returns the detections whose decision changed since the last call, in their current state, oldest decision first.
 * Detections that an exception silences are omitted.
 */
export type DecisionTail = () => Promise<Detection[]>;

/**
 * Begins at `sinceMs`, epoch milliseconds by the clock of the servers. The clock of this process can differ and can be
 * changed.
 */
export function followDecisions(clickhouse: ClickHouse, sinceMs: number): DecisionTail {
  const startedAt = performance.now();
  let reported = new Map<string, number>();
  let reached = sinceMs;
  return async () => {
    const nowMs = sinceMs + Math.floor(performance.now() - startedAt);
    const found = await decidedSince(clickhouse, Math.max(sinceMs, reached - OVERLAP_MS));
    const fresh = found.filter(({ id, changedMs }) => changedMs > (reported.get(id) ?? 0));
    const ids = fresh.map(({ id }) => id);
    const byId = new Map((await getDetections(clickhouse, ids)).map((detection) => [detection.id, detection]));
    reported = new Map(found.map(({ id, changedMs }) => [id, changedMs]));
    reached = nowMs;
    return ids.flatMap((id) => byId.get(id) ?? []).filter(({ exception }) => exception === null);
  };
}
