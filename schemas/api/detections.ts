import { z } from 'zod';
import { DETECTION_STATUSES, detectionSchema, VERDICTS } from '../detection.ts';
import { eventRecordSchema } from './events.ts';
import { storableText } from './storable-text.ts';

export const detectionIdSchema = z
  .string()
  .regex(/^det_[0-9a-f]{32}$/, 'the id of a detection is expected')
  .describe('Id of a detection');

const decision = {
  status: z.enum(DETECTION_STATUSES).describe('How far the work on it is'),
  verdict: z.enum(VERDICTS).nullable().describe('What it was; null: not decided'),
  assignee: storableText(64)
    .nullable()
    .describe('The analyst who works on it: the name of an account with the role analyst or admin; null: not assigned'),
  note: storableText(4000).nullable().describe('What is worth knowing; null: nothing'),
} as const;

/** A change of the decision fields. Omitted fields keep their value. */
export const decisionChangeSchema = z
  .strictObject({
    status: decision.status.optional(),
    verdict: decision.verdict.optional(),
    assignee: decision.assignee.optional(),
    note: decision.note.optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'at least one change is expected');
export type DecisionChange = z.infer<typeof decisionChangeSchema>;

export const PROPOSAL_STATES = ['open', 'accepted', 'declined', 'replaced'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

export const proposalIdSchema = z
  .string()
  .regex(/^prop_[0-9a-f]{32}$/, 'the id of a proposal is expected')
  .describe('Id of a proposal');

const proposalReason = storableText(2000).describe('Why, for the analyst who decides about it');

/** A proposed change. */
export const newProposalSchema = z.strictObject({
  change: decisionChangeSchema.describe('What is proposed'),
  reason: proposalReason,
});

export const proposalSchema = z.object({
  id: proposalIdSchema,
  detectionId: detectionIdSchema,
  createdAt: z.iso.datetime().describe('When it was proposed'),
  actor: z.string().describe('user:<id>, key:<keyId> or operator'),
  username: z.string().nullable().describe('Of the account behind it, as it was then'),
  change: z.object(decision).partial().describe('What is proposed'),
  reason: proposalReason,
  state: z.enum(PROPOSAL_STATES).describe('`replaced`: the same caller has proposed something else since'),
  decided: z
    .object({ at: z.iso.datetime(), actor: z.string(), username: z.string().nullable() })
    .nullable()
    .describe('Who accepted, declined or replaced it, and when; null while it is open'),
});

/** Maximum number of detections per bulk change. */
export const MAX_BULK = 1_000;

export const bulkChangeSchema = z.strictObject({
  detections: z
    .array(
      z.strictObject({
        id: detectionIdSchema,
        etag: z.string().max(64).optional().describe('What If-Match is for one: changed only if it is still like that'),
        seen: z
          .strictObject(decision)
          .partial()
          .optional()
          .describe('What a list showed to be decided about it: changed only if that is still so'),
      }),
    )
    .min(1)
    .max(MAX_BULK)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'a detection is named twice')
    .describe('Which, at most 1,000'),
  change: decisionChangeSchema.describe('The same for all of them'),
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
          .refine((etag) => !/[*,]/.test(etag), 'the ETag of one change is expected')
          .describe('As the change answered; if it is not the current one, nothing is undone'),
      }),
    )
    .min(1)
    .max(MAX_BULK)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'a detection is named twice')
    .describe('Which, at most 1,000'),
});

export const bulkResultSchema = z.object({
  nextCursor: z
    .string()
    .nullable()
    .describe('Next page of those that the filter chooses; null on the last page, and when detections are named'),
  results: z
    .array(
      z.object({
        id: z.string(),
        outcome: z
          .enum(['updated', 'unchanged', 'changed_meanwhile', 'not_found'])
          .describe('changed_meanwhile: it was not as its ETag or `seen` says any more, and nothing was done'),
        etag: z.string().nullable().describe('As it is now; null for one that is not there'),
      }),
    )
    .describe('In the order of the request, or of the list'),
});
export const undoResultSchema = bulkResultSchema.pick({ results: true });

/** Response of GET /api/detections/{id} in JSON. */
export const detectionWithEvidenceSchema = detectionSchema.extend({
  evidence: z.array(eventRecordSchema).describe('The newest of the events it rests on, at most 1,000'),
  evidenceComplete: z.boolean().describe('False when there are more'),
});

/** The contributions to a `host-risk` detection. */
export const signsSchema = z.object({
  data: z.array(
    z.object({
      rule: detectionSchema.shape.rule,
      procname: z.string().nullable().describe('null: the sign is about the host'),
      points: z.number().describe('At the latest evidence of the alert'),
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
        .describe('Of several the one with the most points counts'),
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
      username: z.string().nullable().describe('Of the account behind it, as it was then'),
      automation: z
        .string()
        .nullable()
        .describe('Slug of the workflow or agent that made the change for that account; null: a person or a client'),
      executionId: z.string().nullable().describe('Execution of that workflow or agent'),
      before: someFields.describe('Fields that changed, as they were'),
      after: someFields.describe('The same fields as they became'),
    }),
  ),
  limit: z.int().describe('As asked for'),
  nextCursor: z.string().nullable().describe('null on the last page'),
});
