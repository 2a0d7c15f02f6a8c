import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { actorOf, type Caller, mayUse, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { refusalOfJson } from '#api/http/responses/json-text.ts';
import { createLongPoll } from '#api/http/responses/long-poll.ts';
import type { Database } from '#api/postgres/database.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import {
  completeTaskBodySchema,
  extendTaskBodySchema,
  extendTaskResponseSchema,
  failTaskBodySchema,
  listWorkerQueuesResponseSchema,
  pollTasksBodySchema,
  pollTasksResponseSchema,
  releaseTaskBodySchema,
  taskStateSchema,
} from '#schemas/api/worker-tasks.ts';
import { parseExact } from '#schemas/json/parse-exact.ts';
import type { JsonValue } from '../json-value.ts';
import { exactJson } from '../tasks/functions/exact-json.ts';
import { listWorkerQueues } from '../worker-tasks/queues.ts';
import type { LeaseClaim, LeasedTask, WorkerAccount } from '../worker-tasks/store.ts';
import type { LeaseAnswer, WorkerTasks } from '../worker-tasks/worker-tasks.ts';
import { POLL } from './access.ts';

/**
 * Workers send requests at the rate of tasks, so these do not count towards a request budget. The number of leased
 * tasks is limited instead.
 */
const WORK = { access: { by: 'key', scope: 'tasks:work' }, limiting: 'none' } as const;
const OFTEN = { ...WORK, logged: 'refusals' } as const;
const tags = ['workers'];
const params = z.strictObject({
  taskId: storableText(100).describe('Id (wtk_…) of the task').meta({ example: 'wtk_example' }),
});
const errors = errorResponses(400, 401, 403, 404, 409, 413, 429, 503);

/** Maximum number of waiting polls per key and process. */
const MAX_POLLS_OF_KEY = 100;
const RETRY_AFTER = { 'retry-after': '15' };

export interface WorkerTaskRoutesDeps {
  readonly database: Database;
  readonly workerTasks: WorkerTasks;
}

/** Protocol of external workers: POST /api/worker-tasks/poll, and the routes for a leased task. */
export function workerTaskRoutes(app: ApiServer, deps: WorkerTaskRoutesDeps): void {
  readExactBodies(app);
  pollRoute(app, deps);
  extendRoute(app, deps);
  endRoutes(app, deps);
  queuesRoute(app, deps);
}

/** Parses JSON bodies with exact integers: integers above 2^53 - 1 become hexadecimal strings. */
function readExactBodies(app: ApiServer): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: 2 ** 20 }, (request, body, done) => {
    const text = body as string;
    if (text.length === 0) return done(null, undefined);
    const refusal = refusalOfJson(text);
    if (refusal !== undefined) return done(refusal);
    // The default parser rejects keys that reach a prototype.
    parse(request, text, (error, value) =>
      error ? done(error) : done(null, /\d{16}/.test(text) ? exactJson(parseExact(text)) : value),
    );
  });
}

function pollRoute(app: ApiServer, { workerTasks }: WorkerTaskRoutesDeps): void {
  const hold = createLongPoll({ maxOfCaller: MAX_POLLS_OF_KEY });
  app.post(
    '/api/worker-tasks/poll',
    {
      config: OFTEN,
      schema: {
        operationId: 'pollWorkerTasks',
        summary: 'Lease tasks',
        description: `Leases tasks of \`call: trapline.worker\` that wait in a queue; holds the response while no task waits, with a space every 15 seconds before the body. Tasks are those of workflows that the account of the key owns or may edit. A task whose lease expires goes to another worker, so a task may be done more than once. At most ${MAX_POLLS_OF_KEY} polls of a key wait in one process.`,
        tags,
        body: pollTasksBodySchema,
        response: { 200: pollTasksResponseSchema.describe('Leased tasks.'), ...errors },
      },
    },
    async (request, reply) => {
      const { maxTasks: max, leaseSeconds, waitSeconds, queue, types, worker } = request.body;
      const poll = { account: accountOf(request), queue, types, worker, max, leaseMs: leaseSeconds * 1_000 };
      const tasks = await workerTasks.lease(poll);
      if (tasks.length > 0 || waitSeconds === 0) return { tasks: tasks.map(taskRecord) };
      const body = hold(actorOf(request.caller), async (signal) => {
        const mayLease = async () => {
          const caller = await app.callerNow(request);
          return caller !== undefined && mayUse(caller, WORK.access.scope);
        };
        const leased = await workerTasks.wait(poll, { ms: waitSeconds * 1_000, signal, mayLease });
        return { tasks: leased.map(taskRecord) };
      });
      if (body === undefined)
        throw apiError('rate_limited', 'too many waiting polls: retry later', undefined, RETRY_AFTER);
      const untyped: FastifyReply = reply;
      return untyped.type('application/json; charset=utf-8').send(body);
    },
  );
}

function extendRoute(app: ApiServer, { workerTasks }: WorkerTaskRoutesDeps): void {
  app.post(
    '/api/worker-tasks/:taskId/extend',
    {
      config: OFTEN,
      schema: {
        operationId: 'extendWorkerTask',
        summary: 'Extend a lease',
        description:
          'Heartbeat of a worker. The response also reports that the execution was cancelled or the step timed out. The worker should then stop its work. 409: the lease has expired.',
        tags,
        params,
        body: extendTaskBodySchema,
        response: { 200: extendTaskResponseSchema.describe('The lease, or its end.'), ...errors },
      },
    },
    async (request) => {
      const answer = await workerTasks.extend(claimOf(request), request.body.leaseSeconds * 1_000);
      if (answer.outcome === 'refused' && answer.refusal.reason === 'cancelled')
        return { state: 'cancelled' as const, leaseUntil: null };
      if (answer.outcome === 'done') return { state: 'leased' as const, leaseUntil: answer.value.toISOString() };
      return refuse(answer);
    },
  );
}

/** POST …/complete, …/fail and …/release. */
function endRoutes(app: ApiServer, { workerTasks }: WorkerTaskRoutesDeps): void {
  const response = { 200: taskStateSchema.describe('The task after it.'), ...errors };
  app.post(
    '/api/worker-tasks/:taskId/complete',
    {
      config: WORK,
      schema: {
        operationId: 'completeWorkerTask',
        summary: 'Complete a task',
        description:
          'The execution continues with the output. 409: the lease has expired, another worker has leased the task, or the execution no longer waits for it. The output is then dropped. The same request can be repeated for 10 minutes.',
        tags,
        params,
        body: completeTaskBodySchema,
        response,
      },
    },
    async (request) => {
      const answer = await workerTasks.complete(claimOf(request), (request.body.output ?? null) as JsonValue);
      return isDone(answer) ? { state: 'completed' as const } : refuse(answer);
    },
  );
  app.post(
    '/api/worker-tasks/:taskId/fail',
    {
      config: WORK,
      schema: {
        operationId: 'failWorkerTask',
        summary: 'Fail a task',
        description:
          'The step fails with this error. `try` of the workflow catches it, and its `retry` repeats the step as a new task unless `retryable` is false.',
        tags,
        params,
        body: failTaskBodySchema,
        response,
      },
    },
    async (request) => {
      const { fencingToken: _, ...failure } = request.body;
      const answer = await workerTasks.fail(claimOf(request), failure);
      return isDone(answer) ? { state: 'failed' as const } : refuse(answer);
    },
  );
  app.post(
    '/api/worker-tasks/:taskId/release',
    {
      config: WORK,
      schema: {
        operationId: 'releaseWorkerTask',
        summary: 'Release a task',
        description: 'Requeues the task immediately, for a worker that stops. It does not count as a lost lease.',
        tags,
        params,
        body: releaseTaskBodySchema,
        response,
      },
    },
    async (request) => {
      const answer = await workerTasks.release(claimOf(request));
      return isDone(answer) ? { state: 'waiting' as const } : refuse(answer);
    },
  );
}

function queuesRoute(app: ApiServer, { database }: WorkerTaskRoutesDeps): void {
  app.get(
    '/api/worker-queues',
    {
      config: POLL,
      schema: {
        operationId: 'listWorkerQueues',
        summary: 'List queues of external workers',
        description:
          'Queues with waiting or leased tasks, and the workers that polled them. Covers workflows that the caller owns or may edit; for administrators, all accounts.',
        tags,
        response: { 200: listWorkerQueuesResponseSchema.describe('Queues.'), ...errorResponses(401, 403, 429, 503) },
      },
    },
    async (request) => {
      const queues = await listWorkerQueues(database, viewerOf(request));
      return { data: queues.map((queue) => ({ ...queue, workers: queue.workers.map((worker) => ({ ...worker })) })) };
    },
  );
}

function accountOf({ caller }: { readonly caller?: Caller | undefined }): WorkerAccount {
  return { userId: caller && userOf(caller) };
}

function claimOf(request: {
  readonly caller?: Caller | undefined;
  readonly params: { readonly taskId: string };
  readonly body: { readonly fencingToken: number };
}): LeaseClaim {
  return { account: accountOf(request), id: request.params.taskId, token: request.body.fencingToken };
}

function isDone(answer: LeaseAnswer<unknown>): boolean {
  return answer.outcome === 'done' || answer.outcome === 'repeated';
}

function refuse(answer: LeaseAnswer<unknown>): never {
  if (answer.outcome === 'refused') throw apiError('conflict', answer.refusal.message, 'fencingToken');
  throw apiError(
    'not_found',
    'there is no such task: it ended more than 10 minutes ago, or belongs to another account',
  );
}

function taskRecord({ leaseUntil, deadline, priority: _, seq: __, ...task }: LeasedTask) {
  return {
    ...task,
    leaseUntil: leaseUntil.toISOString(),
    deadline: deadline?.toISOString() ?? null,
  };
}
