import { z } from 'zod';
import { eventKeyProblem } from './event-key.ts';
import { EXECUTION_STATUSES } from './execution-status.ts';
import { storableText } from './storable-text.ts';

export const executionStatusSchema = z.enum(EXECUTION_STATUSES);

const instant = z.iso.datetime().describe('RFC 3339').meta({ example: '2026-03-01T12:00:00.000Z' });
const json = z.unknown();

export const workflowSlugSchema = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'small letters, digits and hyphens are expected, at most 63, a letter or digit at both ends',
  )
  .refine((slug) => slug !== 'executions', 'this name is reserved for a path of the API')
  .meta({ example: 'enrich-detection' });
export const workflowKindSchema = z.enum(['workflow', 'block']);
export const visibilitySchema = z.enum(['private', 'shared']);

const summary = {
  id: z.string().describe('wf_…'),
  name: z.string().describe('the slug'),
  kind: workflowKindSchema,
  version: z.string().describe('tag of the current release'),
  archived: z
    .boolean()
    .optional()
    .describe('true: the workflow is deleted, so it is neither listed nor run. Absent: it is active'),
  createdAt: instant,
  updatedAt: instant,
};
/** A workflow in lists. */
export const workflowSchema = z.object(summary);

/** A workflow in a list, optionally with its title. */
export const listedWorkflowSchema = z.object({
  ...summary,
  title: z.string().optional().describe('title from the definition, if the request sets `titles`'),
});

/** A workflow with its definition. */
export const workflowDetailSchema = z.object({
  ...summary,
  definition: z.record(z.string(), json).describe('parsed definition'),
  yamlContent: z.string().describe('definition as sent'),
});

export const workflowVersionSchema = z.object({
  id: z.string().describe('wfh_…'),
  workflowId: z.string(),
  version: z.string().describe('the tag'),
  yamlContent: z.string().optional().describe('omitted in lists if it is larger than 256 KiB'),
  isCurrent: z.boolean(),
  createdAt: instant,
});

/** Request body of PUT. */
export const releaseBodySchema = z.strictObject({
  yamlContent: z
    .string()
    .min(1)
    .max(1024 * 1024)
    .describe('a workflow of the Serverless Workflow DSL 1.0, at most 1 MiB'),
  version: z
    .string()
    .regex(
      /^(?!latest$|wfh_)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/,
      'up to 64 letters, digits and . _ + - are expected; not `latest`',
    )
    .describe('tag of the release; default: the next number')
    .optional(),
  kind: workflowKindSchema.describe('default: unchanged; `workflow` for a new workflow').optional(),
  visibility: visibilitySchema.describe('default: unchanged; `private` for a new workflow').optional(),
  notes: storableText(4000, 0).optional(),
});

export const releasedSchema = z.object({
  workflow: workflowSchema,
  version: workflowVersionSchema,
  visibility: visibilitySchema,
  released: z.boolean().describe('false: the definition is unchanged, so no version was created'),
  warnings: z.array(
    z.object({
      field: z.string(),
      message: z.string(),
      code: z.string(),
      severity: z.literal('warning'),
      line: z.int().optional(),
      column: z.int().optional(),
    }),
  ),
});

export const rollbackBodySchema = z.strictObject({
  version: z.string().min(1).max(100).describe('id or tag of the version that becomes the current one'),
});

export const versionDiffSchema = z.object({
  from: z.string().describe('tag'),
  to: z.string().describe('tag'),
  diff: z.string().describe('unified diff; empty if the versions are equal'),
});

export const workflowGraphSchema = z.object({
  version: z.string().describe('tag'),
  mermaid: z.string().describe('Mermaid flowchart'),
});

export const workflowTaskSchema = z.object({
  path: z.string().describe('Path of its steps in executions, without loop indexes'),
  parent: z.string().nullable().describe('Path of the task that contains it; null for a task of the workflow itself'),
  role: z
    .string()
    .nullable()
    .describe(
      'List of the parent that contains the task: `do`, `try`, `catch`, `foreach`, `branch`; null: it has no parent',
    ),
  name: z.string(),
  kind: z.string().describe('Key of the task: set, call, for …'),
  detail: z.string().nullable().describe('Short label of what the task calls, iterates or runs'),
  condition: z.string().nullable().describe('Condition: the task is skipped unless this expression is true'),
  next: z.string().nullable().describe('Next task by name, `end` or `exit`; null for the next task of the list'),
  flow: z
    .enum(['sequence', 'parallel', 'attempt', 'choice', 'end'])
    .describe(
      '`sequence`: the inner tasks, then the next task. `parallel`: the inner tasks run concurrently. `attempt`: `try`, and `catch` after an error. `choice`: one of the cases. `end`: no task follows',
    ),
  cases: z.array(
    z.object({
      name: z.string(),
      when: z.string().nullable().describe('The expression; null: the value is not an expression'),
      next: z.string().nullable().describe('As `next` of a task'),
    }),
  ),
});

export const workflowTasksSchema = z.object({
  version: z.string().describe('tag'),
  data: z.array(workflowTaskSchema).describe('All tasks; a task follows the task that contains it'),
});

const definitionText = z
  .string()
  .min(1)
  .max(1024 * 1024)
  .describe('a workflow of the Serverless Workflow DSL 1.0, at most 1 MiB');

export const checkBodySchema = z.strictObject({ yamlContent: definitionText });

export const checkedDefinitionSchema = z.object({
  valid: z.boolean(),
  issues: z.array(
    z.object({
      field: z.string(),
      message: z.string(),
      code: z.string(),
      severity: z.enum(['error', 'warning']),
      line: z.int().optional(),
      column: z.int().optional(),
    }),
  ),
  tasks: z
    .array(
      workflowTaskSchema.extend({
        place: z
          .array(z.union([z.string(), z.int()]))
          .describe('Keys and indexes that lead to the task in the definition'),
      }),
    )
    .describe('Empty if the definition is invalid'),
});

export const dryRunBodySchema = z.strictObject({
  yamlContent: definitionText,
  executionId: storableText(100).describe(
    'Id (exec_…) of a finished execution of this workflow, whose input and recorded results are used',
  ),
});

export const dryRunResponseSchema = z.object({ executionId: z.string().describe('exec_…') });

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
  createdAt: instant,
  triggerType: z.string().optional().describe('api, cli, schedule, webhook, event, detection, workflow, rerun …'),
  triggerInput: json.optional(),
  result: json.optional(),
  error: z.string().optional(),
  startedAt: instant.optional(),
  completedAt: instant.optional(),
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
  createdAt: instant,
  startedAt: instant.nullable(),
  completedAt: instant.nullable(),
  ...starter,
});

/** An execution of a workflow or an agent. Both have the same fields. */
export const oneExecutionSchema = recentExecutionSchema.extend({
  workflowId: z.string().nullable().describe('wf_…; null for an agent'),
  agentId: z.string().nullable().describe('awf_…; null for a workflow'),
  input: json,
  result: json.describe('Result of the workflow, or output of the agent; null until completion'),
  sourceExecutionId: z.string().nullable().describe('Execution that this one repeats'),
  cancelRequestedAt: instant.nullable(),
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
  startedAt: instant,
  completedAt: instant.optional(),
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
      requestedAt: instant,
      suspendedAt: instant.nullable().describe('time of the suspension; null: its running tasks have not ended'),
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

/** These attributes are stored in columns. */
const attribute = storableText(1000);
/** CloudEvents 1.0, JSON format. Extensions are scalars; their names consist of lower-case letters and digits. */
export const cloudEventSchema = z
  .object({
    specversion: z.literal('1.0'),
    id: attribute,
    source: attribute,
    type: attribute,
    subject: attribute.optional(),
    time: z.iso.datetime({ offset: true }).optional(),
    datacontenttype: z
      .string()
      .regex(/^application\/(?:[\w.+-]+\+)?json(?:;.*)?$/i, 'JSON is expected')
      .optional(),
    dataschema: attribute.optional(),
    data: json.optional(),
  })
  .catchall(z.union([z.string().max(1000), z.number(), z.boolean()]))
  .superRefine((event, context) => {
    for (const name of Object.keys(event))
      if (!/^[a-z0-9]{1,30}$/.test(name))
        context.addIssue({ code: 'custom', path: [name], message: 'names of attributes are small letters and digits' });
    const problem = eventKeyProblem(event);
    if (problem !== undefined) context.addIssue({ code: 'custom', path: [problem.field], message: problem.message });
  });

export const sendEventsResponseSchema = z.object({
  accepted: z.int().describe('number of new events'),
  duplicates: z.int().describe('number of duplicates, by source and id'),
});

export const signalResponseSchema = z.object({
  executionId: z.string(),
  eventId: z.string(),
  state: z
    .enum(['pending', 'replied', 'too-large', 'ended'])
    .describe(
      'too-large: the reply is larger than 256 KiB and was discarded. ended: the execution ended without a reply',
    ),
  executionStatus: executionStatusSchema,
  reply: z.record(z.string(), json).nullable().describe('CloudEvent that the execution sent as the reply'),
});

export const secretNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'a letter, then letters, digits, underscores and hyphens are expected');
const secretHostSchema = z
  .string()
  .max(267)
  .regex(
    /^(?:[Hh][Tt][Tt][Pp]:\/\/)?(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?::[0-9]{1,5})?$/,
    'a host is expected, such as api.example.org, api.example.org:8443 or http://mirror.internal:8080',
  );
export const secretBodySchema = z.strictObject({
  value: z
    .string()
    .min(1)
    .max(16 * 1024),
  hosts: z
    .array(secretHostSchema)
    .min(1)
    .max(20)
    .nullable()
    .optional()
    .describe(
      'Only hosts that tasks may send the value to; null: any host; absent: unchanged. Connections use TLS, except to hosts that begin with `http://`',
    )
    .meta({ example: ['api.example.org'] }),
});
export const secretSchema = z.object({
  name: z.string(),
  hosts: z.array(z.string()).nullable().describe('the only hosts that tasks may send the value to; null: any host'),
  createdAt: instant,
  updatedAt: instant,
});
