import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { saveTriage, type Triage } from '#analytics/clickhouse/read-models/detections.ts';
import { DETECTION_STATUSES, VERDICTS } from '#schemas/detection.ts';
import type { RecordChange } from '../../../platform/audit/record-change.ts';
import { detectionId, existingDetection } from './detection-get.ts';
import { exactJson } from './exact-json.ts';
import { type BuiltInFunction, defineFunction } from './port.ts';

export interface DetectionUpdateDeps {
  readonly clickhouse: ClickHouse;
  readonly recordChange: RecordChange;
}

const change = z.strictObject({
  id: detectionId,
  status: z.enum(DETECTION_STATUSES).optional(),
  verdict: z.enum(VERDICTS).nullable().optional(),
  assignee: z.string().min(1).max(200).nullable().optional(),
  note: z.string().max(10_000).nullable().optional(),
});

/** What is not given stays as it is. Done twice it changes nothing more; the audit log then has one entry, as the second finds nothing to change. */
export function detectionUpdate({ clickhouse, recordChange }: DetectionUpdateDeps): BuiltInFunction {
  return defineFunction({
    name: 'trapline.detection.update',
    scope: 'detections:write',
    input: change,
    async run({ id, ...wanted }, context) {
      const before = await existingDetection(clickhouse, id, context);
      const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
      const diff = Object.fromEntries(
        given
          .filter(([name, value]) => before[name as keyof Triage] !== value)
          .map(([name, value]) => [name, { before: before[name as keyof Triage], after: value }]),
      );
      if (Object.keys(diff).length === 0) return exactJson(before);
      const { status, verdict, assignee, note } = { ...before, ...Object.fromEntries(given) } as Triage;
      await recordChange({
        actor: context.ownerId === null ? 'operator' : `user:${context.ownerId}`,
        target: `detection:${id}`,
        action: 'detection.update',
        diff,
        origin: { ip: '', userAgent: `execution ${context.executionId}`, requestId: context.idempotencyKey },
      });
      await saveTriage(clickhouse, id, { status, verdict, assignee, note }, Date.now());
      return exactJson({ ...before, status, verdict, assignee, note });
    },
  });
}
