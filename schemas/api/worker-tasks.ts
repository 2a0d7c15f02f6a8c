import { z } from 'zod';
import { storableText } from './storable-text.ts';

/** Name of a queue or a task type. */
const taskName = (what: string, example: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, 'a name has at most 63 letters, digits, ".", "_" and "-"')
    .describe(what)
    .meta({ example });

const leaseSeconds = z
  .int()
  .min(5)
  .max(3_600)
  .default(60)
  .describe('Duration of the lease. Without an extension, the task then goes to another worker')
  .meta({ example: 60 });
const fencingToken = z
  .int()
  .min(1)
  .max(2_147_483_647)
  .describe('Fencing token of the lease, as the poll returned it. It increases with every lease of the task')
  .meta({ example: 1 });

export const pollTasksBodySchema = z
  .strictObject({
    queue: taskName('The queue', 'sandbox'),
    types: z
      .array(taskName('A type', 'detonate'))
      .min(1)
      .max(50)
      .describe('Only tasks of these types; default: any type')
      .optional(),
    worker: storableText(100)
      .default('worker')
      .describe('Name of the worker process, shown in the list of workers')
      .meta({ example: 'sandbox-1' }),
    maxTasks: z.int().min(1).max(20).default(1).describe('Maximum number of tasks to return').meta({ example: 4 }),
    leaseSeconds,
    waitSeconds: z
      .int()
      .min(0)
      .max(60)
      .default(30)
      .describe('Long poll: how long the server waits for a task before it responds')
      .meta({ example: 30 }),
  })
  .meta({ example: { queue: 'sandbox', worker: 'sandbox-1', maxTasks: 4 } });

const at = z.iso.datetime();

export const leasedTaskSchema = z
  .object({
    id: z.string().describe('wtk_…'),
    queue: z.string(),
    type: z.string(),
    name: z.string().describe('Name of the step'),
    input: z.unknown().describe('`input` of the call'),
    idempotencyKey: z
      .string()
      .describe(
        'Idempotency key: the same for every lease and retry of the step. Pass it to the services that the worker calls, so that they can detect repetitions',
      ),
    fencingToken: z.int().describe('Fencing token. Send it with every request about this lease'),
    leaseUntil: at.describe('Time at which the lease expires, unless it is extended'),
    deadline: at.nullable().describe('Time at which the time-out of the task ends it; null: it has no time-out'),
    attempt: z.int().describe('Number of the attempt of the step, from 1'),
    losses: z
      .int()
      .describe(
        'Number of leases of this task that expired. If it is above 0, an earlier worker may have done the work, in part or completely',
      ),
    executionId: z.string(),
    workflowId: z.string(),
    step: z.string().describe('Path of the step in the definition'),
  })
  .meta({ schemaName: 'LeasedTask' });

export const pollTasksResponseSchema = z
  .object({ tasks: z.array(leasedTaskSchema).describe('Empty if no task arrived in time') })
  .meta({ schemaName: 'PollTasksResponse' });

export const extendTaskBodySchema = z
  .strictObject({ fencingToken, leaseSeconds })
  .meta({ example: { fencingToken: 1, leaseSeconds: 60 } });
export const extendTaskResponseSchema = z
  .object({
    state: z
      .enum(['leased', 'cancelled'])
      .describe('`cancelled`: the execution no longer waits for the task. The worker should stop'),
    leaseUntil: at.nullable().describe('null if the task was cancelled'),
  })
  .meta({ schemaName: 'ExtendTaskResponse' });

export const completeTaskBodySchema = z
  .strictObject({
    fencingToken,
    output: z
      .unknown()
      .optional()
      .describe(
        'Output of the step; default null. Integers beyond 2^53 - 1 become hexadecimal text with all their digits',
      ),
  })
  .meta({ example: { fencingToken: 1, output: { verdict: 'malicious' } } });
export const failTaskBodySchema = z
  .strictObject({
    fencingToken,
    message: storableText(2_000).describe('`detail` of the error').meta({ example: 'the sandbox has no free machine' }),
    retryable: z.boolean().default(true).describe('false: no `retry` of the workflow repeats the step'),
    type: z
      .url()
      .max(500)
      .optional()
      .describe('`type` of the error; default: the runtime error of the language')
      .meta({ example: 'https://example.org/errors/sandbox' }),
    status: z.int().min(400).max(599).default(500).describe('`status` of the error'),
  })
  .meta({ example: { fencingToken: 1, message: 'the sandbox has no free machine' } });
export const releaseTaskBodySchema = z.strictObject({ fencingToken }).meta({ example: { fencingToken: 1 } });

export const taskStateSchema = z
  .object({ state: z.enum(['waiting', 'completed', 'failed']) })
  .meta({ schemaName: 'WorkerTaskState' });

export const workerQueueSchema = z
  .object({
    queue: z.string(),
    account: z.string().nullable().describe('Username of the owner of the workflows or workers; null: the operator'),
    waiting: z.int().describe('Number of tasks that wait for a worker'),
    leased: z.int().describe('Number of tasks that are leased by a worker'),
    oldestSeconds: z.number().nullable().describe('Waiting time of the oldest waiting task; null: no task waits'),
    workers: z
      .array(
        z.object({
          name: z.string(),
          lastSeenAt: at.nullable().describe('Time of its last poll; null: the worker belongs to another account'),
          leased: z.int(),
        }),
      )
      .describe('The latest 50 workers that polled the queue within 24 hours or hold a lease'),
  })
  .meta({ schemaName: 'WorkerQueue' });

export const listWorkerQueuesResponseSchema = z
  .object({ data: z.array(workerQueueSchema).describe('At most 200 queues') })
  .meta({ schemaName: 'ListWorkerQueuesResponse' });
