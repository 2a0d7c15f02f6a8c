import { z } from 'zod';
import { instantSchema } from './instant.ts';
import { storableText } from './storable-text.ts';

export const waitReasonSchema = z
  .enum(['paused', 'debounce', 'batch', 'concurrency', 'throttle', 'concurrency-key'])
  .describe(
    'paused: the workflow is paused. debounce, batch: the execution waits for further starts. concurrency, throttle: the limit is reached. concurrency-key: another execution has the same concurrency key',
  );

/** Why an execution has not started yet. */
export const waitsForSchema = z.object({
  reason: waitReasonSchema,
  key: z
    .string()
    .nullable()
    .describe('key of the limit as JSON, or the hash of a long one; null for a limit without one'),
  ahead: z.int().describe('number of starts before it in the same queue; 1000 means 1000 or more'),
  until: instantSchema.nullable().describe('earliest time at which it can begin, if known'),
  mergedStarts: z.int().describe('number of starts that a debounce or batch has merged into it'),
});

export const executionLimitsSchema = z.object({
  waitsFor: waitsForSchema.nullable().describe('null: no limit delays it'),
});

export const pauseSchema = z.object({
  at: instantSchema,
  by: z.string().describe('actor that paused it, as in the audit log'),
  reason: z.string().nullable(),
});

export const pauseBodySchema = z
  .strictObject({ reason: storableText(500).optional().describe('shown with the workflow and in the audit log') })
  .nullish();

const key = z.string().optional().describe('jq over the input; absent: one key for all starts');
const milliseconds = z.int().describe('ms');

export const workflowLimitsSchema = z.object({
  paused: pauseSchema.nullable(),
  declared: z
    .object({
      concurrency: z.object({ max: z.int(), key }).optional(),
      throttle: z.object({ max: z.int(), periodMs: milliseconds, key }).optional(),
      debounce: z.object({ periodMs: milliseconds, maxDelayMs: milliseconds, key }).optional(),
      batch: z.object({ max: z.int(), periodMs: milliseconds, key }).optional(),
      priority: z.union([z.int(), z.string()]).optional().describe('a number, or jq over the input'),
      retentionMs: milliseconds.optional(),
    })
    .describe('`document.metadata.limits` of the current version'),
  holding: z.int().describe('number of executions that hold a slot of `concurrency`'),
  waiting: z.int().describe('number of queued starts; 10000 means 10000 or more'),
  queues: z
    .array(
      z.object({
        reason: waitReasonSchema,
        key: z.string().nullable(),
        holding: z.int().describe('number of executions that hold a slot of this key'),
        waiting: z.int(),
        oldest: instantSchema.describe('time at which the oldest of them was accepted'),
        until: instantSchema.nullable().describe('earliest time at which the next one can begin, if known'),
      }),
    )
    .describe('the 20 longest queues'),
});

/**
 * A separate named schema. Without it, responses about other resources with the same fields would get its description.
 */
export const pausedWorkflowSchema = z.object({ id: z.string(), name: z.string() });

export const pausedWorkflowsSchema = z.object({
  data: z
    .array(pauseSchema.extend({ workflow: pausedWorkflowSchema }))
    .describe('most recent pauses first, at most 1000'),
});
