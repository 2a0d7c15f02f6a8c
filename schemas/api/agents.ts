import { z } from 'zod';
import { starter } from './executions.ts';

const time = z.string().describe('RFC 3339 with milliseconds');
const nullableTime = time.nullable();
const json = z.unknown();

export const agentFileSchema = z.object({
  path: z.string(),
  size: z.int().describe('Bytes'),
  contentType: z.string(),
  sha256: z.string(),
  version: z.int().describe('Version of the workspace that contains it'),
  createdAt: time,
});

export const workspaceVersionSchema = z.object({
  version: z.int().describe('1, 2, 3 … with each change'),
  commit: z.string().describe('SHA-256 of all paths and contents'),
  isCurrent: z.boolean(),
  createdAt: time,
});

export const agentExampleSchema = z.object({
  id: z.string(),
  name: z.string(),
  input: json,
  expected: json,
  comparison: z
    .enum(['exact', 'subset', 'schema'])
    .describe(
      'How the output is compared: equal to the expected value, containing it, or valid against the expected JSON Schema',
    ),
  sourceExecutionId: z.string().nullable(),
  files: z.array(z.object({ kind: z.enum(['input', 'expected']), name: z.string(), size: z.int() })),
  createdAt: time,
  updatedAt: time,
});

export const agentSchema = z.object({
  id: z.string().describe('`awf_…`'),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  config: z.record(z.string(), json),
  visibility: z.enum(['private', 'shared']),
  archived: z.boolean(),
  createdAt: time,
  updatedAt: time,
  sourceIntegrity: z
    .enum(['healthy', 'source_missing', 'unregistered'])
    .describe('source_missing: the workspace lacks the script or instructions that the runtime needs'),
  latestVersion: z.int().nullable().describe('Of the workspace'),
  latestCommit: z.string().nullable().describe('Hash of all paths and contents of the workspace'),
  stats: z.object({
    exampleCount: z.int(),
    totalExecutions: z.int(),
    lastExecutionAt: nullableTime,
    avgDurationMs: z.number().nullable(),
    avgCredits: z.number().nullable().describe('Average cost of the runs with a known cost'),
  }),
  files: z.array(agentFileSchema).optional(),
  dataset: z.array(agentExampleSchema).optional(),
});

export const agentFeedbackSchema = z.object({
  rating: z.enum(['pass', 'fail', 'partial']).nullable(),
  status: z.enum(['open', 'resolved', 'ignored']).nullable(),
  createdAt: nullableTime,
  createdBy: z.string().nullable(),
  createdByEmail: z.string().nullable(),
  updatedAt: nullableTime,
  resolvedAt: nullableTime,
  resolvedBy: z.string().nullable(),
  resolvedByEmail: z.string().nullable(),
  resolvedBySessionId: z.string().nullable(),
  promotedExampleName: z.string().nullable(),
  body: z.string(),
});

const checkResultSchema = z.object({
  name: z.string(),
  type: z.string(),
  passed: z.boolean().nullable().describe('null: the check was not run'),
  message: z.string(),
  votes: z
    .object({ pass: z.int(), fail: z.int(), invalid: z.int(), agreement: z.number().nullable() })
    .optional()
    .describe('For a judge: its judgements, and the share of the majority among the valid ones'),
});

export const evaluationSchema = z.object({
  passed: z.boolean().nullable().describe('null: no check failed, but at least one was not run'),
  comparison: z.enum(['exact', 'subset', 'schema']),
  differences: z
    .array(z.object({ path: z.string().describe('JSON pointer, or name of a file'), message: z.string() }))
    .describe('At most 50'),
  checks: z.array(checkResultSchema).optional().describe('Results of the checks of the agent'),
});

/** The number of runs that passed, and of runs with a verdict. */
export const passRateSchema = z.object({
  passed: z.int(),
  judged: z.int().describe('Number of runs with a verdict'),
  rate: z.number().nullable(),
  interval: z.object({ low: z.number(), high: z.number() }).nullable().describe('Wilson score interval, 95 %'),
});

/** Current result of an evaluation. */
export const evaluationResultSchema = z.object({
  batchId: z.string(),
  total: z.int(),
  open: z.int().describe('Number of unfinished runs'),
  passed: z.int(),
  failed: z.int(),
  passRate: passRateSchema,
  notCompared: z
    .int()
    .describe('Number of runs that ended without a verdict, because they have no expected output or were cancelled'),
  executions: z.array(
    z.object({
      executionId: z.string(),
      exampleName: z.string(),
      status: z.string(),
      evaluation: evaluationSchema.nullable(),
    }),
  ),
});

const namedFile = z.object({ name: z.string() });

export const feedbackDetailSchema = z.object({
  feedback: agentFeedbackSchema.nullable(),
  expected: json,
  expectedFiles: z.array(namedFile),
});

export const agentExecutionSchema = z.object({
  id: z.string().describe('`exec_…`'),
  agentId: z.string(),
  status: z.string(),
  createdAt: time,
  startedAt: nullableTime,
  completedAt: nullableTime,
  cancelRequestedAt: nullableTime,
  model: z.string().nullable(),
  input: json.optional().describe('Input of the run; omitted in lists'),
  output: json,
  schemaValid: z.boolean().nullable(),
  error: z.string().nullable(),
  cost: z
    .record(z.string(), z.number())
    .nullable()
    .describe('Counts such as inputTokens, outputTokens and toolCalls; `credits` is omitted if the cost is unknown'),
  exampleId: z.string().nullable(),
  exampleName: z.string().nullable(),
  batchId: z.string().nullable(),
  sourceExecutionId: z.string().nullable(),
  promotedExampleName: z.string().nullable(),
  workspaceVersion: z.int(),
  evaluation: evaluationSchema.nullable().describe('For a run of an example: comparison with the expected output'),
  feedback: agentFeedbackSchema.nullable().optional(),
  expected: json.optional(),
  expectedFiles: z.array(namedFile).optional(),
  ...starter,
  files: z
    .array(
      z.object({
        kind: z.enum(['input', 'output', 'issues', 'trace']),
        name: z.string().describe('For an input: the name for its download'),
        filename: z.string().optional().describe('File name, as the sender gave it'),
        size: z.int(),
        contentType: z.string().describe('Media type, detected from the content'),
      }),
    )
    .optional(),
});

export const agentExecutionListSchema = z.object({
  data: z.array(agentExecutionSchema),
  executions: z.array(agentExecutionSchema).describe('Same as `data`; older name'),
  total: z.int().describe('Number of matching entries among those examined'),
  limit: z.int(),
  offset: z.int(),
  scanLimited: z.boolean().describe('true if not all entries were examined, so that the total may be higher'),
  noResolvedAnchor: z
    .boolean()
    .describe('true if the request set sinceLastResolved, but no feedback was ever resolved'),
});

export const runAgentResponseSchema = z.object({
  executionId: z.string(),
  status: z.string().optional().describe('`timeout`: the run continues'),
  output: json.optional(),
  schemaValid: z.boolean().nullable().optional(),
  error: z.string().nullable().optional(),
  cost: z.record(z.string(), z.number()).optional(),
});

const fileContent = {
  content: z.string().max(24_000_000).describe('Text').optional(),
  contentBase64: z.base64().max(24_000_000).describe('Bytes').optional(),
  contentType: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)*$/, 'must be a media type')
    .max(100)
    .optional(),
};
const oneContent = (file: { content?: string | undefined; contentBase64?: string | undefined }) =>
  (file.content === undefined) !== (file.contentBase64 === undefined);
const ONE_CONTENT = 'must have either content or contentBase64';

export const agentFileBodySchema = z.strictObject(fileContent).refine(oneContent, ONE_CONTENT);
export const agentFilesBodySchema = z
  .strictObject({
    files: z
      .array(z.strictObject({ path: z.string().min(1).max(1024), ...fileContent }).refine(oneContent, ONE_CONTENT))
      .max(500),
    remove: z.array(z.string().min(1).max(1024)).max(1000).describe('Paths to delete').optional(),
  })
  .refine(({ files, remove = [] }) => files.length + remove.length > 0, {
    path: ['files'],
    error: 'must be a file',
  });
