import { z } from 'zod';
import { DETECTION_STATUSES, detectionSchema, VERDICTS } from '../detection.ts';
import { eventRecordSchema } from './events.ts';
import { storableText } from './storable-text.ts';

export const detectionIdSchema = z
  .string()
  .regex(/^det_[0-9a-f]{32}$/, 'must be the id of a detection')
  .describe('Id of a detection');

const decision = {
  status: z.enum(DETECTION_STATUSES).describe('Triage status'),
  verdict: z.enum(VERDICTS).nullable().describe('Verdict of the triage; null: not decided'),
  assignee: storableText(64)
    .nullable()
    .describe('Assigned analyst: username of an account with the role analyst or admin; null: not assigned'),
  note: storableText(4000).nullable().describe('Note of the analyst; null: none'),
} as const;

/** A change of the decision fields. Omitted fields keep their value. */
export const decisionChangeSchema = z
  .strictObject({
    status: decision.status.optional(),
    verdict: decision.verdict.optional(),
    assignee: decision.assignee.optional(),
    note: decision.note.optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'must have at least one change');
export type DecisionChange = z.infer<typeof decisionChangeSchema>;

export const PROPOSAL_STATES = ['open', 'accepted', 'declined', 'replaced'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

export const proposalIdSchema = z
  .string()
  .regex(/^prop_[0-9a-f]{32}$/, 'must be the id of a proposal')
  .describe('Id of a proposal');

const proposalReason = storableText(2000).describe('Reason, shown to the analyst who decides on the proposal');

/** A proposed change. */
export const newProposalSchema = z.strictObject({
  change: decisionChangeSchema.describe('Proposed triage'),
  reason: proposalReason,
});

export const proposalSchema = z.object({
  id: proposalIdSchema,
  detectionId: detectionIdSchema,
  createdAt: z.iso.datetime().describe('Time of the proposal'),
  actor: z.string().describe('user:<id>, key:<keyId> or operator'),
  username: z.string().nullable().describe('Username at the time of the proposal'),
  change: z.object(decision).partial().describe('Proposed triage'),
  reason: proposalReason,
  state: z.enum(PROPOSAL_STATES).describe('`replaced`: the same caller made a newer proposal'),
  decided: z
    .object({ at: z.iso.datetime(), actor: z.string(), username: z.string().nullable() })
    .nullable()
    .describe('Actor and time of the decision; null: the proposal is open'),
});

/** Maximum number of detections per bulk change. */
export const MAX_BULK = 1_000;

export const bulkChangeSchema = z.strictObject({
  detections: z
    .array(
      z.strictObject({
        id: detectionIdSchema,
        etag: z
          .string()
          .max(64)
          .optional()
          .describe('ETag of the detection. The change is applied only if it still matches, like If-Match'),
        seen: z
          .strictObject(decision)
          .partial()
          .optional()
          .describe('Triage fields as the client last saw them. The change is applied only if they are unchanged'),
      }),
    )
    .min(1)
    .max(MAX_BULK)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'a detection is named twice')
    .describe('Detections, at most 1,000'),
  change: decisionChangeSchema.describe('Change that is applied to all of them'),
});

/** The changes to undo, by the versions that they created. */
export const undoSchema = z.strictObject({
  detections: z
    .array(
      z.strictObject({
        id: detectionIdSchema,
        etag: z
          .string()
          .max(64)
          // Other valid values of If-Match (`*` or a list) could undo a change that the caller has not seen.
          .refine((etag) => !/[*,]/.test(etag), 'must be the ETag of one change')
          .describe('ETag from the response of the change. If it is not the current one, nothing is undone'),
      }),
    )
    .min(1)
    .max(MAX_BULK)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'a detection is named twice')
    .describe('Detections, at most 1,000'),
});

export const bulkResultSchema = z.object({
  nextCursor: z
    .string()
    .nullable()
    .describe('Cursor of the next page of the filter; null on the last page, or if the request names detections'),
  results: z
    .array(
      z.object({
        id: z.string(),
        outcome: z
          .enum(['updated', 'unchanged', 'changed_meanwhile', 'not_found'])
          .describe('changed_meanwhile: the detection no longer matched its ETag or `seen`, so nothing was changed'),
        etag: z.string().nullable().describe('Current state; null: the detection does not exist'),
      }),
    )
    .describe('In the order of the request or list'),
});
export const undoResultSchema = bulkResultSchema.pick({ results: true });

/** Response of GET /api/detections/{id} in JSON. */
export const detectionWithEvidenceSchema = detectionSchema.extend({
  evidence: z.array(eventRecordSchema).describe('Newest events of the evidence, at most 1,000'),
  evidenceComplete: z.boolean().describe('false if there are more'),
});

/** The contributions to a `host-risk` detection. */
export const signsSchema = z.object({
  data: z.array(
    z.object({
      rule: detectionSchema.shape.rule,
      procname: z.string().nullable().describe('null: the signal is about the host'),
      points: z.number().describe('Time of the latest evidence of the alert'),
      detections: z
        .array(
          detectionSchema.pick({
            id: true,
            severity: true,
            status: true,
            verdict: true,
            crashes: true,
            firstSeen: true,
            lastSeen: true,
          }),
        )
        .describe('If there are several, the one with the most points counts'),
    }),
  ),
});

const someFields = z.object(decision).partial();

export const detectionHistorySchema = z.object({
  data: z.array(
    z.object({
      version: z.int().describe('1 for the first change'),
      at: z.iso.datetime().describe('When'),
      actor: z.string().describe('user:<id>, key:<keyId> or operator'),
      username: z.string().nullable().describe('Username at the time of the change'),
      automation: z
        .string()
        .nullable()
        .describe(
          'Slug of the workflow or agent that made the change on behalf of the account; null: a user or a client',
        ),
      executionId: z.string().nullable().describe('Execution of the workflow or agent'),
      before: someFields.describe('Changed fields with their values before'),
      after: someFields.describe('The same fields with their values after'),
    }),
  ),
  limit: z.int().describe('The requested page size'),
  nextCursor: z.string().nullable().describe('null on the last page'),
});
