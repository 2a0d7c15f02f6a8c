import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { isTerminal } from '#api/executions/engine/transitions.ts';
import { executionWithSteps } from '#api/executions/records/execution-with-steps.ts';
import { type ExecutionParts, withStarters } from '#api/executions/records/with-starters.ts';
import { executionParams, noSuchExecution, POLL, READ, RUN } from '#api/executions/routes/access.ts';
import { boundsOf, TIME_BOUNDS } from '#api/executions/routes/time-bounds.ts';
import { waitSeconds } from '#api/executions/routes/wait-seconds.ts';
import { principalOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { minuteOf, momentQuery } from '#api/http/queries/moment-query.ts';
import { listOf, PAGE_SHAPE } from '#api/http/queries/page-query.ts';
import { includeOf } from '#api/http/queries/query-include.ts';
import { queryFlagOr } from '#api/http/queries/query-values.ts';
import { createLongPoll } from '#api/http/responses/long-poll.ts';
import { sendJsonParts } from '#api/http/responses/send-json-parts.ts';
import { readFromPrimary } from '#api/read-replica/read-lists.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import {
  cancelResponseSchema,
  executionStatusSchema,
  listedExecutionSchema,
  workflowExecutionSchema,
} from '#schemas/api/executions.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { listedExecutionRecord, workflowExecutionRecord } from '../records/workflow-execution-record.ts';
import {
  countAllWorkflowExecutions,
  countWorkflowExecutions,
  findWorkflowExecution,
  keptCountOfWorkflow,
  listWorkflowExecutions,
  mayDoWith,
  ownersListed,
  stepsOfExecution,
} from '../tables/workflow-executions.ts';
import { notAllowed, RUN_LIMITS, type WorkflowRouteDeps, workflowOf } from './deps.ts';
import { workflowParams } from './read.ts';

const tags = ['workflows'];
const listQuery = z.strictObject({
  status: z
    .string()
    .transform((text) => text.split(',').map((status) => status.trim()))
    .pipe(z.array(executionStatusSchema).min(1))
    .optional()
    .describe('Statuses, joined by commas')
    .meta({ example: 'running,waiting' }),
  ...TIME_BOUNDS,
  fromDate: momentQuery('lower').optional().describe('The older name of `from`').meta({ example: 'now()-7d' }),
  toDate: momentQuery('upper')
    .optional()
    .describe('Like `to`, but inclusive; a date without a time means the whole day')
    .meta({ example: 'now()-1h' }),
  exampleId: storableText(200).optional().describe('Of this example'),
  include: includeOf(['startedBy']),
  ...PAGE_SHAPE,
});

/**
 * GET /api/v1/workflows/{id}/executions, GET /api/v1/workflows/executions/{executionId}, POST …/cancel. Long: each
 * route includes its description.
 */
export function workflowExecutionRoutes(
  app: ApiServer,
  {
    database,
    executions,
    payloads,
    countTotal,
    watch,
    runLimits,
    readLists = readFromPrimary(database),
  }: Pick<
    WorkflowRouteDeps,
    'database' | 'executions' | 'payloads' | 'countTotal' | 'watch' | 'runLimits' | 'readLists'
  >,
): void {
  const hold = createLongPoll({ max: runLimits?.held ?? RUN_LIMITS.held });
  /**
   * Returns an execution that the viewer may see: a record or, with steps, the JSON text in parts. Rejects with a 404
   * for any other.
   */
  const read = async (
    viewer: Viewer,
    executionId: string,
    { includeSteps, include }: { readonly includeSteps: boolean; readonly include?: ExecutionParts },
  ) => {
    const found = await findWorkflowExecution(database, viewer, executionId);
    if (found === undefined) throw noSuchExecution();
    const [record] = await withStarters(database, viewer, [await workflowExecutionRecord(found, payloads)], include);
    if (record === undefined) throw noSuchExecution();
    return includeSteps ? executionWithSteps(record, stepsOfExecution(database, found.id), payloads) : record;
  };

  app.get(
    '/api/v1/workflows/:id/executions',
    {
      config: READ,
      schema: {
        operationId: 'listWorkflowExecutions',
        summary: 'List executions of a workflow',
        description:
          'Newest first. The owner of the workflow, administrators and users with a grant see all executions, other users only their own. Totals are exact; with from or to, totals above 10,000 are up to 30 seconds old.',
        tags,
        params: workflowParams,
        querystring: listQuery,
        response: {
          200: listOf(listedExecutionSchema).describe('Executions.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request) => {
      const { limit, offset, status, fromDate, toDate, exampleId, include } = request.query;
      const { from, to } = boundsOf(request.query, { names: ['fromDate', 'toDate'], from: fromDate, to: toDate });
      const viewer = viewerOf(request);
      const workflow = await workflowOf(database, viewer, request.params.id);
      const filters = {
        statuses: status,
        from,
        to,
        exampleId,
        ownerId: ownersListed(viewer, workflow),
      };
      const key = JSON.stringify([workflow.id, { ...filters, from: minuteOf(from), to: minuteOf(to) }]);
      const [data, total] = await readLists(request, (db) =>
        Promise.all([
          listWorkflowExecutions(db, workflow.id, filters, { limit, offset }).then((found) =>
            withStarters(db, viewer, found.map(listedExecutionRecord), include),
          ),
          countTotal(key, {
            upTo: (atMost) => countWorkflowExecutions(db, workflow.id, filters, atMost),
            kept: keptCountOfWorkflow(db, workflow.id, filters),
            all: () => countAllWorkflowExecutions(db, workflow.id, filters),
          }),
        ]),
      );
      return { data, total, limit, offset };
    },
  );

  app.get(
    '/api/v1/workflows/executions/:executionId',
    {
      config: POLL,
      schema: {
        operationId: 'getWorkflowExecution',
        summary: 'Read an execution',
        description:
          'Status, times, input, result or error, and all steps with includeSteps=true. A failure while the steps are read closes the connection. With `wait_for_completion` the connection is held until the execution has ended or the time is up, with a space every 15 seconds before the body. Requests with a key do not count towards the limit of the address. Each key has a separate limit.',
        tags,
        params: executionParams,
        querystring: z.strictObject({
          includeSteps: queryFlagOr(false).describe('Whether to include every step'),
          include: includeOf(['startedBy']),
          wait_for_completion: waitSeconds,
        }),
        response: {
          200: workflowExecutionSchema.describe('The execution.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const { executionId } = request.params;
      const { wait_for_completion: seconds = 0 } = request.query;
      const now = await findWorkflowExecution(database, viewer, executionId);
      if (now === undefined) throw noSuchExecution();
      const body =
        seconds === 0 || isTerminal(now.status)
          ? undefined
          : // if the last read fails, the connection breaks and the client retries
            hold(principalOf(request.caller), async (signal) => {
              await watch.waitForEnd(executionId, { ms: seconds * 1_000, signal });
              return read(viewer, executionId, request.query);
            });
      const untyped: FastifyReply = reply;
      if (body !== undefined) return untyped.type('application/json; charset=utf-8').send(body);
      const answer = await read(viewer, executionId, request.query);
      return Symbol.asyncIterator in answer ? sendJsonParts(untyped, answer) : answer;
    },
  );

  app.post(
    '/api/v1/workflows/executions/:executionId/cancel',
    {
      config: RUN,
      schema: {
        operationId: 'cancelWorkflowExecution',
        summary: 'Cancel an execution',
        description:
          'An execution that has not begun is cancelled immediately. A running or waiting one is ended by its worker within a second, together with the sub-workflows that it waits for. Idempotent.',
        tags,
        params: executionParams,
        response: {
          200: cancelResponseSchema.describe('The result.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const found = await findWorkflowExecution(database, viewer, request.params.executionId);
      if (found !== undefined && !mayDoWith(viewer, 'change-execution', found)) throw notAllowed('change-execution');
      const cancelled = found === undefined ? undefined : await executions.cancel(found.id);
      if (cancelled === undefined) throw noSuchExecution();
      return cancelled;
    },
  );
}
