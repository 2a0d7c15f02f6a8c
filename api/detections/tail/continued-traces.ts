import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { tracesOfDetections } from '#analytics/clickhouse/read-models/detection-traces.ts';
import type { Detection } from '#schemas/detection.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import type { Tracing } from '#schemas/tracing/tracing.ts';

/**
 * Returns the trace context of each detection, by id, for readers that continue the trace. Empty, without a query,
 * while tracing is off.
 */
export async function continuedTraces(
  { clickhouse, tracing }: { readonly clickhouse: ClickHouse; readonly tracing: Tracing },
  detections: readonly Pick<Detection, 'id'>[],
): Promise<ReadonlyMap<string, TraceContext>> {
  if (!tracing.isOn) return new Map();
  return tracesOfDetections(
    clickhouse,
    detections.map(({ id }) => id),
  );
}
