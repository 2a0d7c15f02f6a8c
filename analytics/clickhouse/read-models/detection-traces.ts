import { readStoredTrace, type TraceContext } from '#schemas/tracing/trace-context.ts';
import type { ClickHouse } from '../client.ts';
import { detectionTracesTable } from '../tables/detection-traces.ts';

/** Returns trace contexts by detection id, each from the latest revision that has one. */
export async function tracesOfDetections(
  clickhouse: ClickHouse,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TraceContext>> {
  if (ids.length === 0) return new Map();
  const rows = await clickhouse.rows<{ readonly id: string; readonly latest: string }>(
    'read traces of detections',
    `SELECT id, argMax(trace, revision) AS latest FROM ${clickhouse.table(detectionTracesTable.name)}
     WHERE id IN {ids:Array(String)} GROUP BY id`,
    { params: { ids: [...ids] } },
  );
  return new Map(
    rows.flatMap(({ id, latest }) => {
      const context = readStoredTrace(latest);
      return context === undefined ? [] : [[id, context] as const];
    }),
  );
}
