import { z } from 'zod';

/** Responses that clients in the field accept: all known keys, no unknown key, no null unless agreed. */
const list = <T extends z.ZodType>(item: T) =>
  z.strictObject({ data: z.array(item), total: z.int(), limit: z.int(), offset: z.int() });

const status = z.enum([
  'created',
  'pending',
  'running',
  'waiting',
  'finalizing',
  'completed',
  'failed',
  'cancelled',
  'rejected',
]);
const instant = z.iso.datetime();
const workflow = z.strictObject({
  id: z.string().startsWith('wf_'),
  createdAt: instant,
  name: z.string(),
  kind: z.enum(['workflow', 'block']),
  version: z.string(),
  updatedAt: instant,
});
const version = z.strictObject({
  id: z.string().startsWith('wfh_'),
  workflowId: z.string().startsWith('wf_'),
  version: z.string(),
  yamlContent: z.string().optional(),
  isCurrent: z.boolean(),
  createdAt: instant,
});
const execution = {
  id: z.string().startsWith('exec_'),
  workflowId: z.string().startsWith('wf_'),
  status,
  createdAt: instant,
  triggerType: z.string().optional(),
  triggerInput: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.string().optional(),
  startedAt: instant.optional(),
  completedAt: instant.optional(),
  durationMs: z.int().optional(),
  workflow: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
};

/** Responses by request, each with the only status that clients accept. */
export const STRICT = {
  workflows: { status: 200, body: list(workflow) },
  workflow: {
    status: 200,
    body: workflow.extend({ definition: z.record(z.string(), z.unknown()), yamlContent: z.string() }),
  },
  versions: { status: 200, body: list(version) },
  executions: { status: 200, body: list(z.strictObject(execution)) },
  execution: {
    status: 200,
    body: z.strictObject({ ...execution, executionId: z.string(), steps: z.array(z.unknown()).optional() }),
  },
  accepted: { status: 201, body: z.strictObject({ executionId: z.string() }) },
  finished: {
    status: 201,
    body: z.strictObject({
      executionId: z.string(),
      status: z.enum(['completed', 'failed', 'cancelled', 'rejected']),
      result: z.json(),
      error: z.string().nullable(),
    }),
  },
  cancelled: {
    status: 200,
    body: z.strictObject({
      executionId: z.string(),
      status: z.enum(['cancelled', 'cancellation-requested', 'already-terminal']),
      wasStatus: status,
    }),
  },
  rerun: {
    status: 202,
    body: z.strictObject({ executionId: z.string(), sourceExecutionId: z.string(), status }),
  },
} as const;

export const errorBody = z.strictObject({
  issues: z
    .array(
      z.strictObject({
        field: z.string(),
        message: z.string(),
        code: z.enum([
          'unauthorized',
          'forbidden',
          'not_found',
          'required',
          'invalid_value',
          'rate_limited',
          'internal',
        ]),
        severity: z.enum(['error', 'warning']),
        line: z.int().optional(),
        column: z.int().optional(),
      }),
    )
    .min(1),
  requestId: z.string(),
  hint: z.string().optional(),
  docsUrl: z.string().optional(),
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Returns the body of a response that a strict client accepts; throws for any other. */
export function strictly<K extends keyof typeof STRICT>(kind: K, answer: Answer): z.output<(typeof STRICT)[K]['body']> {
  const { status: expected, body } = STRICT[kind];
  if (answer.status !== expected) throw new Error(`${kind}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return body.parse(answer.body) as z.output<(typeof STRICT)[K]['body']>;
}

/** Returns the issues of a rejection whose status has a name in the clients. */
export function refusal(answer: Answer) {
  if (![400, 401, 403, 404, 429].includes(answer.status)) throw new Error(`${answer.status} is no status of a refusal`);
  const { issues, requestId } = errorBody.parse(answer.body);
  if (answer.headers.get('x-request-id') !== requestId) throw new Error('the request id is not that of the header');
  return { status: answer.status, issues };
}
