import { z } from 'zod';
import { instantSchema } from './instant.ts';
import { storableText } from './storable-text.ts';

const json = z.unknown();

export const workflowSlugSchema = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be lower-case letters, digits and hyphens, at most 63, a letter or digit at both ends',
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
  createdAt: instantSchema,
  updatedAt: instantSchema,
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
  createdAt: instantSchema,
});

const definitionText = z
  .string()
  .min(1)
  .max(1024 * 1024)
  .describe('a workflow of the Serverless Workflow DSL 1.0, at most 1 MiB');

/** Request body of PUT. */
export const releaseBodySchema = z.strictObject({
  yamlContent: definitionText,
  version: z
    .string()
    .regex(
      /^(?!latest$|wfh_)[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/,
      'must be up to 64 letters, digits and . _ + -; not `latest`',
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
