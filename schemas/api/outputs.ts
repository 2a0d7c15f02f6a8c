import { z } from 'zod';
import { ruleIdSchema, SEVERITIES } from '../detection.ts';
import { isStorable, NOT_STORABLE, storableText } from './storable-text.ts';

export const OUTPUT_CAUSES = ['opened', 'grown', 'closed'] as const;
export const CASE_CAUSES = ['opened', 'changed', 'closed'] as const;

/** Selects the detections that are sent. An empty filter selects all. */
export const outputFilterSchema = z.strictObject({
  minSeverity: z.enum(SEVERITIES).optional().describe('Only of this severity or above'),
  rules: z.array(ruleIdSchema).min(1).max(100).optional().describe('Only of these rules'),
  hosts: z.array(storableText(255)).min(1).max(100).optional().describe('Only of these hosts; * matches any text'),
  causes: z
    .array(z.enum(OUTPUT_CAUSES))
    .min(1)
    .max(OUTPUT_CAUSES.length)
    .optional()
    .describe('Only when a detection is opened, continues (`grown`) or is closed'),
  cases: z
    .array(z.enum(CASE_CAUSES))
    .min(1)
    .max(CASE_CAUSES.length)
    .optional()
    .describe(
      'Also sends cases of `minSeverity` or above when they are opened, changed or closed. If absent, no case is sent',
    ),
});
export type OutputFilter = z.output<typeof outputFilterSchema>;

const name = z.string().trim().min(1).max(100).refine(isStorable, NOT_STORABLE).describe('Unique, ignoring case');
/** Fields of every new output, in addition to its type, settings and secrets. */
export const newOutputFields = {
  name,
  enabled: z.boolean().default(true).describe('A disabled output keeps its position and continues from there'),
  filter: outputFilterSchema.default({}),
};

export const outputChangeSchema = z.strictObject({
  name: name.optional(),
  enabled: z.boolean().optional(),
  filter: outputFilterSchema.optional().describe('Replaces the whole filter'),
  settings: z.record(z.string(), z.unknown()).optional().describe('Replaces all settings'),
  secrets: z
    .record(z.string(), z.string().nullable())
    .optional()
    .describe('Replaces the named secrets; null removes one. A new receiver needs its secrets again'),
});
export type OutputChange = z.output<typeof outputChangeSchema>;

export const outputIdSchema = z.string().regex(/^out_[0-9a-f]{32}$/);
const time = z.iso.datetime();

export const outputSchema = z.object({
  id: outputIdSchema,
  etag: z.string().describe('ETag of the definition, for If-Match'),
  name: z.string(),
  type: z.string().describe('Kind of output; see GET /api/output-kinds'),
  enabled: z.boolean(),
  settings: z.record(z.string(), z.unknown()),
  filter: outputFilterSchema,
  secrets: z.array(z.string()).describe('Names of the secrets that are set'),
  createdAt: time,
  createdBy: z.string(),
  createdByName: z.string().nullable().describe('Name of the user, or of the key and its user; null: unknown'),
  updatedAt: time,
});

export const outputFieldSchema = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  input: z
    .enum(['text', 'number', 'switch', 'choice', 'pem'])
    .describe('Form control; `pem`: several lines of PEM text'),
  required: z.boolean(),
  default: z.union([z.string(), z.number(), z.boolean()]).nullable(),
  choices: z
    .array(z.object({ value: z.string(), label: z.string() }))
    .nullable()
    .describe('Values of a choice'),
});

export const outputKindSchema = z.object({
  type: z.string(),
  label: z.string(),
  description: z.string(),
  unavailable: z.string().nullable().describe('Why this installation cannot use the kind, and what to set'),
  sendsCases: z.boolean().describe('Whether outputs of this kind can send cases'),
  settings: z.array(outputFieldSchema),
  secrets: z.array(outputFieldSchema).describe('Encrypted at rest; no response contains their values'),
});

export const deadLetterOfOutputSchema = z.object({
  id: z.int(),
  detection: z.string().describe('Id of the detection'),
  revision: z.int(),
  cause: z.enum(OUTPUT_CAUSES),
  reason: z.string().describe('Response of the receiver'),
  state: z
    .enum(['refused', 'waiting', 'delivered'])
    .describe('`waiting`: it will be sent again; `delivered`: the receiver accepted it'),
  at: time.describe('Time at which it entered this state'),
});

export const deliveriesSchema = z.object({
  state: z
    .enum(['idle', 'delivering', 'retrying', 'paused'])
    .describe(
      '`retrying`: the receiver did not accept a message, and all messages wait in order; `paused`: the output is disabled',
    ),
  lag: z.object({
    messages: z.int().describe('Waiting messages, counted up to 10,000'),
    oldestAt: time.nullable().describe('Time of the oldest waiting message'),
  }),
  delivered: z.int().describe('Number of messages since the output was created'),
  lastDeliveredAt: time.nullable(),
  attempts: z.int().describe('Failed attempts to send the next message'),
  nextAttemptAt: time.nullable(),
  lastError: z.object({ at: time, message: z.string() }).nullable(),
  deadLetters: z.object({
    data: z.array(deadLetterOfOutputSchema),
    nextCursor: z.string().nullable(),
  }),
});

export const outputTestSchema = z.object({
  ok: z.boolean().describe('Whether the receiver accepted the message'),
  answer: z.string().describe('Response of the receiver, or the reason why it did not respond'),
  ms: z.int(),
});

export const resendSchema = z.strictObject({
  ids: z.array(z.int().min(1)).min(1).max(1_000).optional().describe('Dead letters to send again; default: all'),
});
