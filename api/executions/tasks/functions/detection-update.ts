import { z } from 'zod';
import { type ChangeDecisions, NoSuchAnalyst } from '#api/detections/triage/change-decisions.ts';
import { DETECTION_STATUSES, VERDICTS } from '#schemas/detection.ts';
import { findDefinitionSlug } from '../../store/definition-slug.ts';
import { taskFailure } from '../failures.ts';
import { type DetectionDeps, decidedDetection, detectionId, noSuchDetection } from './detection-get.ts';
import { exactJson } from './exact-json.ts';
import { type BuiltInFunction, defineFunction } from './port.ts';

export interface DetectionUpdateDeps extends DetectionDeps {
  readonly changeDecisions: ChangeDecisions;
}

const change = z.strictObject({
  id: detectionId,
  status: z.enum(DETECTION_STATUSES).optional(),
  verdict: z.enum(VERDICTS).nullable().optional(),
  assignee: z.string().min(1).max(200).nullable().optional(),
  note: z.string().max(10_000).nullable().optional(),
});

/**
 * Changes the decision about a detection with the rights of the owner, including history and audit. Omitted fields are
 * unchanged. Idempotent.
 */
export function detectionUpdate({ changeDecisions, ...deps }: DetectionUpdateDeps): BuiltInFunction {
  const { database } = deps;
  return defineFunction({
    name: 'trapline.detection.update',
    scope: 'detections:write',
    input: change,
    async run({ id, ...wanted }, context) {
      const { ownerId, executionId, step, idempotencyKey } = context;
      const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
      const owner =
        ownerId === null
          ? undefined
          : await database.selectFrom('users').select('username').where('id', '=', ownerId).executeTakeFirst();
      const by = {
        actor: ownerId === null ? 'operator' : `user:${ownerId}`,
        username: owner?.username ?? null,
        automation: { name: (await findDefinitionSlug(database, executionId)) ?? null, executionId },
        origin: { ip: '', userAgent: `execution ${executionId}`, requestId: idempotencyKey },
      };
      const [result] = await changeDecisions([{ id }], given, by).catch((error: unknown) => {
        if (error instanceof NoSuchAnalyst) throw taskFailure('validation', step, error.message);
        throw error;
      });
      if (result?.outcome === 'not_found') throw noSuchDetection(id, step);
      return exactJson(await decidedDetection(deps, id, context));
    },
  });
}
