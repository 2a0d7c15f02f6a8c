import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { principalOf } from '#api/http/access/caller.ts';
import { requireScope } from '#api/http/access/missing-scope.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { includeOf } from '#api/http/queries/query-include.ts';
import { createLongPoll } from '#api/http/responses/long-poll.ts';
import type { Database } from '#api/postgres/database.ts';
import { type Viewer, viewerOf } from '#api/sharing/viewer.ts';
import { cancelResponseSchema, oneExecutionSchema } from '#schemas/api/executions.ts';
import type { Executions } from '../engine/executions.ts';
import { isTerminal } from '../engine/transitions.ts';
import { readPayload } from '../payloads/keep-payload.ts';
import type { PayloadStore } from '../payloads/port.ts';
import { errorText } from '../records/error-text.ts';
import { durationOf } from '../records/step-record.ts';
import { type ExecutionParts, withStarters } from '../records/with-starters.ts';
import { findVisibleExecution, readExecution, type VisibleExecution } from '../store/visible.ts';
import type { ExecutionWatch } from '../watch/port.ts';
import { executionParams, noSuchExecution } from './access.ts';
import { waitSeconds } from './wait-seconds.ts';

/** The kind of the execution decides which scope is required. */
const READ = {
  access: { by: 'key-or-session', scope: 'workflows:read', or: 'agents:read' },
  limiting: 'poll',
} as const;
const RUN = { access: { by: 'key-or-session', scope: 'workflows:run', or: 'agents:run' } } as const;
const tags = ['workflows'];
const errors = errorResponses(400, 401, 403, 404, 429, 503);

export interface OneExecutionDeps {
  readonly database: Database;
  readonly executions: Pick<Executions, 'cancel'>;
  readonly payloads: PayloadStore | undefined;
  readonly watch: Pick<ExecutionWatch, 'waitForEnd'>;
}

/**
 * GET /api/v1/executions/{executionId} and POST …/cancel, for workflows and agents. Long: each route includes its
 * description.
 */
export function oneExecutionRoutes(app: ApiServer, { database, executions, payloads, watch }: OneExecutionDeps): void {
  const hold = createLongPoll();

  app.get(
    '/api/v1/executions/:executionId',
    {
      config: READ,
      schema: {
        operationId: 'getExecution',
        summary: 'Read an execution of a workflow or agent',
        description:
          'The same fields for both kinds. Steps, feedback and files are in the routes of each kind. With `wait_for_completion` the connection is held until the execution has ended or the time is up, with a space every 15 seconds before the body. Executions of agents need the scope agents:read, those of workflows workflows:read.',
        tags,
        params: executionParams,
        querystring: z.strictObject({ include: includeOf(['startedBy']), wait_for_completion: waitSeconds }),
        response: { 200: oneExecutionSchema.describe('The execution.'), ...errors },
      },
    },
    async (request, reply) => {
      const { executionId } = request.params;
      const { status } = await visibleExecution(database, request, executionId, 'read');
      const { include, wait_for_completion: seconds = 0 } = request.query;
      const viewer = viewerOf(request);
      const body =
        seconds === 0 || isTerminal(status)
          ? undefined
          : // if the last read fails, the connection breaks and the client retries
            hold(principalOf(request.caller), async (signal) => {
              await watch.waitForEnd(executionId, { ms: seconds * 1_000, signal });
              return recordOf(executionId, viewer, include);
            });
      if (body === undefined) return recordOf(executionId, viewer, include);
      const untyped: FastifyReply = reply;
      return untyped.type('application/json; charset=utf-8').send(body);
    },
  );

  app.post(
    '/api/v1/executions/:executionId/cancel',
    {
      config: RUN,
      schema: {
        operationId: 'cancelExecution',
        summary: 'Cancel an execution of a workflow or agent',
        description:
          'An execution that has not begun is cancelled immediately. A running or waiting one is ended by its worker. Idempotent. Executions of agents need the scope agents:run, those of workflows workflows:run.',
        tags,
        params: executionParams,
        response: { 200: cancelResponseSchema.describe('The result.'), ...errors },
      },
    },
    async (request) => {
      const { executionId } = request.params;
      const { mayChange } = await visibleExecution(database, request, executionId, 'run');
      if (!mayChange)
        throw apiError('forbidden', 'you may read this execution, but not change it: its owner can grant `run`');
      const cancelled = await executions.cancel(executionId);
      if (cancelled === undefined) throw noSuchExecution();
      return cancelled;
    },
  );

  async function recordOf(
    id: string,
    viewer: Viewer,
    include: ExecutionParts,
  ): Promise<z.input<typeof oneExecutionSchema>> {
    const row = await readExecution(database, id);
    if (row === undefined) throw noSuchExecution();
    const [input, result] = await Promise.all([
      readPayload(payloads, row.triggerInput, row.triggerInputFile),
      readPayload(payloads, row.result, row.resultFile),
    ]);
    const { createdAt, startedAt, completedAt, cancelRequestedAt } = row;
    const record = {
      id: row.id,
      kind: row.kind,
      name: row.name,
      workflowId: row.workflowId,
      agentId: row.agentId,
      status: row.status,
      triggerType: row.triggerType,
      input,
      result: row.status === 'completed' ? result : null,
      error: errorText(row.error),
      sourceExecutionId: row.sourceExecutionId,
      createdAt: createdAt.toISOString(),
      startedAt: startedAt?.toISOString() ?? null,
      completedAt: completedAt?.toISOString() ?? null,
      cancelRequestedAt: cancelRequestedAt?.toISOString() ?? null,
      durationMs: durationOf(startedAt, completedAt).durationMs ?? null,
    };
    const [extended = record] = await withStarters(database, viewer, [record], include);
    return extended;
  }
}

/** Returns the execution if the caller may see it and has the scope for its kind. Otherwise throws a 404 or 403. */
export async function visibleExecution(
  database: Database,
  request: FastifyRequest,
  id: string,
  what: 'read' | 'run',
): Promise<VisibleExecution> {
  const found = await findVisibleExecution(database, viewerOf(request), id);
  if (found === undefined) throw noSuchExecution();
  requireScope(request.caller, `${found.kind}s:${what}`);
  return found;
}
