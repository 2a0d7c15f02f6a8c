import { z } from 'zod';
import { EXECUTION_STATUSES } from './execution-status.ts';
import { instantSchema } from './instant.ts';

const json = z.unknown();

export const executionStatusSchema = z.enum(EXECUTION_STATUSES);

/** Request body of run. */
export const runBodySchema = z.strictObject({
  input: json.optional().describe('JSON; default: an empty object'),
  overrides: z
    .strictObject({ steps: z.record(z.string().min(1).max(256), json).optional() })
    .nullable()
    .optional()
    .describe('Outputs of steps, by name. These steps are not executed'),
  trigger: z.enum(['api', 'cli']).optional(),
  exampleId: z.string().min(1).max(200).nullable().optional(),
  priority: z.int().min(-100).max(100).optional().describe('higher priorities run first; default 0'),
  concurrencyKey: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('of the executions with the same key, only one runs at a time'),
});

/**
 * `status`, `result` and `error` are present if the execution has ended. Of `result` and `error`, the one that does not
 * apply is null.
 */
export const runResponseSchema = z.object({
  executionId: z.string().describe('exec_…'),
  status: executionStatusSchema.optional(),
  result: json.nullable().optional(),
  error: z.string().nullable().optional(),
});

/** The user, key or trigger that started an execution. */
export const startedBySchema = z.object({
  how: z.string().describe('console, key, operator, schedule, webhook, event, detection, workflow, agent …'),
  user: z
    .object({ id: z.string(), username: z.string() })
    .nullable()
    .describe('Username, for a start in the console or by a key; null: the account was deleted'),
  keyLabel: z.string().nullable().describe('Label of the API key, visible to its owner and to administrators'),
  executionId: z.string().nullable().describe('Execution whose step started this one'),
});

export type StartedBy = z.infer<typeof startedBySchema>;

/** Present only with `include=startedBy`. */
export const starter = {
  startedBy: startedBySchema
    .nullable()
    .optional()
    .describe('With include=startedBy: the user, key, trigger or execution that started it; null: unknown'),
};

/** Fields that are not known yet, or do not apply, are absent. */
const execution = {
  id: z.string().describe('exec_…'),
  workflowId: z.string(),
  status: executionStatusSchema,
  createdAt: instantSchema,
  triggerType: z.string().optional().describe('api, cli, schedule, webhook, event, detection, workflow, rerun …'),
  triggerInput: json.optional(),
  result: json.optional(),
  error: z.string().optional(),
  startedAt: instantSchema.optional(),
  completedAt: instantSchema.optional(),
  durationMs: z.int().optional(),
  workflow: z.object({ id: z.string(), name: z.string() }).nullable(),
  ...starter,
};

/** An execution in a list. Lists omit inputs and results above 16 KiB. */
export const listedExecutionSchema = z.object(execution);

/** An execution of a workflow or an agent, in a list of both. */
export const recentExecutionSchema = z.object({
  id: z.string(),
  kind: z.enum(['workflow', 'agent']),
  name: z.string().describe('Slug of the workflow or agent'),
  status: executionStatusSchema,
  triggerType: z.string(),
  error: z.string().nullable(),
  createdAt: instantSchema,
  startedAt: instantSchema.nullable(),
  completedAt: instantSchema.nullable(),
  ...starter,
});

/** An execution of a workflow or an agent. Both have the same fields. */
export const oneExecutionSchema = recentExecutionSchema.extend({
  workflowId: z.string().nullable().describe('wf_…; null for an agent'),
  agentId: z.string().nullable().describe('awf_…; null for a workflow'),
  input: json,
  result: json.describe('Result of the workflow, or output of the agent; null until completion'),
  sourceExecutionId: z.string().nullable().describe('Execution that this one repeats'),
  cancelRequestedAt: instantSchema.nullable(),
  durationMs: z.int().nullable(),
});

export const executionStepSchema = z.object({
  step: z.string().describe('path in the definition, with the indexes of the enclosing loops'),
  name: z.string(),
  kind: z.string(),
  status: z.enum(['running', 'waiting', 'completed', 'failed', 'cancelled', 'skipped']),
  attempt: z.int(),
  input: json.optional(),
  output: json.optional(),
  error: json.optional(),
  startedAt: instantSchema,
  completedAt: instantSchema.optional(),
  durationMs: z.int().optional(),
});

export const workflowExecutionSchema = z.object({
  ...execution,
  executionId: z.string(),
  steps: z.array(executionStepSchema).optional().describe('only with includeSteps=true'),
});

export const cancelResponseSchema = z.object({
  executionId: z.string(),
  status: z.enum(['cancelled', 'cancellation-requested', 'already-terminal']),
  wasStatus: executionStatusSchema,
});

export const suspendExecutionResponseSchema = z.object({
  executionId: z.string(),
  status: z
    .enum(['suspended', 'suspension-requested', 'already-suspended', 'cancellation-requested', 'already-terminal'])
    .describe('suspension-requested: its running tasks have to end first, or it is still queued'),
  wasStatus: executionStatusSchema,
});

export const resumeExecutionResponseSchema = z.object({
  executionId: z.string(),
  status: z.enum(['resumed', 'not-suspended', 'already-terminal']),
  wasStatus: executionStatusSchema,
});

export const executionSuspensionSchema = z.object({
  suspension: z
    .object({
      requestedAt: instantSchema,
      suspendedAt: instantSchema.nullable().describe('time of the suspension; null: its running tasks have not ended'),
    })
    .nullable()
    .describe('null: it is not suspended, or it has ended'),
});

export const rerunBodySchema = z
  .strictObject({
    fromStep: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'path or name of the step to begin at (the first step with that name). The results of earlier steps are reused',
      ),
  })
  .nullish();

export const rerunResponseSchema = z.object({
  executionId: z.string(),
  sourceExecutionId: z.string(),
  status: executionStatusSchema,
});
