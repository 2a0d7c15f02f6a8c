import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { randomId } from '#api/executions/random-id.ts';
import { READ, RUN } from '#api/executions/routes/access.ts';
import { actorOf, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { NewJob } from '#api/jobs/port.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { mayDo, standingOf } from '#api/sharing/permissions.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import {
  bulkActionBodySchema,
  bulkActionListSchema,
  bulkActionSchema,
  bulkCountSchema,
  MAX_BULK,
} from '#schemas/api/bulk-actions.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import {
  type BulkAction,
  type BulkChoice,
  bulkStatuses,
  countChosen,
  findBulkAction,
  insertBulkAction,
  listBulkActions,
  stopBulkAction,
} from '../bulk/bulk-actions.ts';
import { BULK_ATTEMPTS, BULK_QUEUE } from '../bulk/run-bulk-action.ts';
import type { SeenWorkflow } from '../tables/workflows.ts';
import { notAllowed, type WorkflowRouteDeps, workflowOf } from './deps.ts';
import { workflowParams } from './read.ts';

const tags = ['workflows'];
const errors = errorResponses(400, 401, 403, 404, 429, 503);
const actionParams = workflowParams.extend({
  actionId: storableText(100).describe('Id (bulk_…) of the bulk action').meta({ example: 'bulk_01' }),
});
type Body = z.output<typeof bulkActionBodySchema>;

/** POST /api/v1/workflows/{id}/bulk-actions and …/count. Long: each route includes its description. */
export function bulkActionRoutes(
  app: ApiServer,
  { database, audit, jobs }: Pick<WorkflowRouteDeps, 'database' | 'audit' | 'jobs'>,
): void {
  app.post(
    '/api/v1/workflows/:id/bulk-actions/count',
    {
      config: RUN,
      schema: {
        operationId: 'countBulkAction',
        summary: 'Count the executions of a bulk action',
        description:
          'Number of executions that a bulk action with this body would cancel or replay. Nothing is changed.',
        tags,
        params: workflowParams,
        body: bulkActionBodySchema,
        response: { 200: bulkCountSchema.describe('The count.'), ...errors },
      },
    },
    async (request) => {
      const { choice } = await chosen(request, request.params.id, request.body);
      return { count: await countChosen(database, choice), max: MAX_BULK };
    },
  );

  app.post(
    '/api/v1/workflows/:id/bulk-actions',
    {
      config: RUN,
      schema: {
        operationId: 'startBulkAction',
        summary: 'Cancel or replay many executions',
        description: `Cancels or replays the executions that the filter matches now, at most ${MAX_BULK}, in the background, oldest first. Callers who may change all executions of the workflow act on all of them, other callers only on their own. A replay starts each execution again with its input, files and overrides, with priority -10, within the limits of the workflow. One bulk action of a workflow runs at a time. It is in the audit log.`,
        tags,
        params: workflowParams,
        body: bulkActionBodySchema,
        response: { 202: bulkActionSchema.describe('It is accepted and runs in the background.'), ...errors },
      },
    },
    async (request, reply) => {
      const { workflow, choice } = await chosen(request, request.params.id, request.body);
      const { expected, version = 'latest' } = request.body;
      const { caller } = request;
      const action = await inTransaction(database, async (transaction) => {
        const inserted = await insertBulkAction(
          transaction,
          {
            id: randomId('bulk_'),
            actor: actorOf(caller),
            ownerId: (caller && userOf(caller)) ?? null,
            requestId: request.id,
            latestVersion: choice.action === 'replay' && version === 'latest',
          },
          choice,
        );
        requireConfirmed(inserted.total, expected);
        await jobs.add(transaction, jobOf(inserted.id));
        await audit.record(transaction, {
          actor: inserted.actor,
          target: `workflow:${workflow.id}`,
          action: choice.action === 'cancel' ? 'workflow.bulk-cancel' : 'workflow.bulk-replay',
          diff: { executions: { after: inserted.total }, filters: { after: choice.filters } },
          origin: originOf(request),
        });
        return inserted;
      }).catch((error: unknown) => {
        if (violatedUnique(error) !== 'workflow_bulk_actions_one') throw error;
        throw apiError('invalid_value', 'another bulk action of this workflow runs: wait for its end, or stop it');
      });
      return reply.code(202).send(bulkActionRecord(action));
    },
  );

  /** Returns the executions that the caller may change. */
  async function chosen(
    request: FastifyRequest,
    id: string,
    { action, statuses, from, to }: Body,
  ): Promise<{ readonly workflow: SeenWorkflow; readonly choice: BulkChoice }> {
    const viewer = viewerOf(request);
    const workflow = await workflowOf(database, viewer, id, action === 'replay' ? 'run' : 'view');
    if (bulkStatuses(action, statuses).length !== (statuses ?? bulkStatuses(action, undefined)).length)
      throw apiError(
        'invalid_value',
        action === 'cancel'
          ? 'executions that have ended cannot be cancelled'
          : 'only executions that have ended are replayed',
        'statuses',
      );
    const seesAll = mayDo(action === 'cancel' ? 'change-execution' : 'view-execution', standingOf(viewer, workflow));
    if (!seesAll && viewer.userId === undefined) throw notAllowed('change-execution');
    const filters = {
      ...(statuses === undefined ? {} : { statuses }),
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
    };
    return {
      workflow,
      choice: { workflowId: workflow.id, action, filters, executionsOf: seesAll ? undefined : viewer.userId },
    };
  }
}

/** GET …/bulk-actions and …/{actionId}, POST …/{actionId}/stop. Long: each route includes its description. */
export function bulkProgressRoutes(
  app: ApiServer,
  { database, jobs }: Pick<WorkflowRouteDeps, 'database' | 'jobs'>,
): void {
  app.get(
    '/api/v1/workflows/:id/bulk-actions',
    {
      config: READ,
      schema: {
        operationId: 'listBulkActions',
        summary: 'List bulk actions of a workflow',
        description: 'The newest 20 with their progress.',
        tags,
        params: workflowParams,
        response: { 200: bulkActionListSchema.describe('Bulk actions.'), ...errors },
      },
    },
    async (request) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id);
      return { data: (await listBulkActions(database, workflow.id)).map(bulkActionRecord) };
    },
  );

  app.get(
    '/api/v1/workflows/:id/bulk-actions/:actionId',
    {
      config: READ,
      schema: {
        operationId: 'getBulkAction',
        summary: 'Read a bulk action',
        description: 'With its progress.',
        tags,
        params: actionParams,
        response: { 200: bulkActionSchema.describe('The bulk action.'), ...errors },
      },
    },
    async (request) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id);
      return bulkActionRecord(await actionOf(workflow, request.params.actionId));
    },
  );

  app.post(
    '/api/v1/workflows/:id/bulk-actions/:actionId/stop',
    {
      config: RUN,
      schema: {
        operationId: 'stopBulkAction',
        summary: 'Stop a bulk action',
        description:
          'It stops within a second. Completed items are not undone. An action that has ended is not changed.',
        tags,
        params: actionParams,
        response: { 200: bulkActionSchema.describe('The bulk action.'), ...errors },
      },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const workflow = await workflowOf(database, viewer, request.params.id);
      const action = await actionOf(workflow, request.params.actionId);
      const own = action.actor === actorOf(request.caller);
      if (!own && !mayDo('change-execution', standingOf(viewer, workflow))) throw notAllowed('change-execution');
      await inTransaction(database, async (transaction) => {
        // Adds another job in case all attempts of the first one failed. Otherwise the action would never end and would
        // block later ones.
        if (await stopBulkAction(transaction, action.id)) await jobs.add(transaction, jobOf(action.id));
      });
      return bulkActionRecord(await actionOf(workflow, action.id));
    },
  );

  async function actionOf(workflow: SeenWorkflow, actionId: string): Promise<BulkAction> {
    const action = await findBulkAction(database, actionId);
    if (action?.workflowId !== workflow.id) throw apiError('not_found', 'the workflow has no such bulk action');
    return action;
  }
}

/** Returns the job of an action. Only one runs at a time. */
function jobOf(id: string): NewJob {
  return { queue: BULK_QUEUE, payload: { id }, key: id, maxAttempts: BULK_ATTEMPTS };
}

function requireConfirmed(total: number, expected: number | undefined): void {
  if (total === 0) throw apiError('invalid_value', 'the filter chooses no execution');
  if (total > MAX_BULK)
    throw apiError('invalid_value', `the filter chooses more than ${MAX_BULK} executions: narrow it by time or status`);
  if (expected !== undefined && total > expected)
    throw apiError('invalid_value', `the filter chooses ${total} executions now (confirmed: ${expected})`, 'expected');
}

function bulkActionRecord(action: BulkAction): z.input<typeof bulkActionSchema> {
  const { statuses, ...rest } = action.filters;
  const { id, actor: by, status, total, done, skipped, problem, createdAt, endedAt } = action;
  return {
    id,
    action: action.action,
    filters: { ...rest, ...(statuses === undefined ? {} : { statuses: [...statuses] }) },
    ...(action.action === 'replay' ? { version: action.latestVersion ? ('latest' as const) : ('same' as const) } : {}),
    by,
    status,
    total,
    done,
    skipped,
    problem,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}
