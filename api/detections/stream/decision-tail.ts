import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { decidedSince } from '#analytics/clickhouse/read-models/decided-detections.ts';
import { getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import type { Detection } from '#schemas/detection.ts';

/** A decision has the time at which it was made and becomes visible when it is in the lists: while ClickHouse is unavailable that takes longer. */
const OVERLAP_MS = 600_000;

/** Detections about which analysts decided since the last time, each as it stands now, oldest decision first. Those an exception silences are left out. */
export type DecisionTail = () => Promise<Detection[]>;

/** Begins at `sinceMs`, epoch milliseconds of the clock of the servers: that of this process may be another, and be set. */
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
