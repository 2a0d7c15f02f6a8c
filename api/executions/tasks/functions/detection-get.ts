import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetection } from '#analytics/clickhouse/read-models/detections.ts';
import { findTriage } from '#api/detections/tables/detection-triage.ts';
import { withDecision } from '#api/detections/triage/with-decision.ts';
import type { Database } from '#api/postgres/database.ts';
import type { Detection } from '#schemas/detection.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { exactJson } from './exact-json.ts';
import { type BuiltInFunction, defineFunction } from './port.ts';

export interface DetectionDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
}

export const detectionId = z.string().regex(/^det_[0-9a-f]{32}$/, 'must be the id of a detection');

export function detectionGet(deps: DetectionDeps): BuiltInFunction {
  return defineFunction({
    name: 'trapline.detection.get',
    scope: 'detections:read',
    input: z.strictObject({ id: detectionId }),
    run: async ({ id }, context) => exactJson(await decidedDetection(deps, id, context)),
  });
}

/**
 * Returns the detection with its latest decision. Rejects with a communication error of status 404 if it does not
 * exist.
 */
export async function decidedDetection(
  { clickhouse, database }: DetectionDeps,
  id: string,
  { step }: Pick<TaskContext, 'step'>,
): Promise<Detection> {
  const [detection, triage] = await Promise.all([getDetection(clickhouse, id), findTriage(database, id)]);
  if (detection === undefined) throw noSuchDetection(id, step);
  return withDecision(detection, triage);
}

export function noSuchDetection(id: string, step: string) {
  return taskFailure('communication', step, `there is no detection ${id}`, { status: 404 });
}
