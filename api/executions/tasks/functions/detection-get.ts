import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetection } from '#analytics/clickhouse/read-models/detections.ts';
import type { Detection } from '#schemas/detection.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';
import { exactJson } from './exact-json.ts';
import { type BuiltInFunction, defineFunction } from './port.ts';

export const detectionId = z.string().regex(/^det_[0-9a-f]{32}$/, 'the id of a detection is expected');

export function detectionGet({ clickhouse }: { readonly clickhouse: ClickHouse }): BuiltInFunction {
  return defineFunction({
    name: 'trapline.detection.get',
    scope: 'detections:read',
    input: z.strictObject({ id: detectionId }),
    run: async ({ id }, context) => exactJson(await existingDetection(clickhouse, id, context)),
  });
}

/** Rejects with a communication error of status 404 when there is none. */
export async function existingDetection(
  clickhouse: ClickHouse,
  id: string,
  { step }: Pick<TaskContext, 'step'>,
): Promise<Detection> {
  const detection = await getDetection(clickhouse, id);
  if (detection === undefined) throw taskFailure('communication', step, `there is no detection ${id}`, { status: 404 });
  return detection;
}
