import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { findWaiting, limitState } from '#api/executions/limits/waiting.ts';
import { executionParams, noSuchExecution, READ, WRITE } from '#api/executions/routes/access.ts';
import { actorOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { mayDo, standingOf } from '#api/sharing/permissions.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import {
  executionLimitsSchema,
  pauseBodySchema,
  pausedWorkflowsSchema,
  workflowLimitsSchema,
} from '#schemas/api/workflow-limits.ts';
import { pauseWorkflow, resumeWorkflow } from '../pause.ts';
import { pauseRecord, waitRecord } from '../records/limit-records.ts';
import { findWorkflowExecution } from '../tables/workflow-executions.ts';
import { listPaused } from '../tables/workflows.ts';
import { type WorkflowRouteDeps, workflowOf } from './deps.ts';
import { workflowParams } from './read.ts';

const tags = ['workflows'];
const errors = errorResponses(400, 401, 403, 404, 429, 503);

/**
 * GET /api/v1/workflows/{id}/limits, GET …/executions/{executionId}/limits, GET /api/v1/paused-workflows, POST
 * …/{id}/pause and …/resume. Separate routes, because existing clients reject unknown fields in workflows and
 * executions. Long: each route includes its description.
 */
export function workflowLimitRoutes(
  app: ApiServer,
  {
    database,
    audit,
    executions,
    versionLimits,
  }: Pick<WorkflowRouteDeps, 'database' | 'audit' | 'executions' | 'versionLimits'>,
): void {
  async function stateOf(request: FastifyRequest, id: string): Promise<z.input<typeof workflowLimitsSchema>> {
    const viewer = viewerOf(request);
    const workflow = await workflowOf(database, viewer, id);
    // Keys contain parts of inputs.
    const seesKeys = mayDo('view-execution', standingOf(viewer, workflow));
    const [declared, { queues, ...counts }] = await Promise.all([
      versionLimits.of(database, workflow.currentVersionId),
      limitState(database, workflow.id),
    ]);
    return {
      paused: pauseRecord(workflow),
      declared,
      ...counts,
      queues: queues.map((queue) => ({
        ...queue,
        key: seesKeys ? queue.key : null,
        oldest: queue.oldest.toISOString(),
        until: queue.until?.toISOString() ?? null,
      })),
    };
  }

  app.get(
    '/api/v1/workflows/:id/limits',
    {
      config: READ,
      schema: {
        operationId: 'getWorkflowLimits',
        summary: 'Read the limits of a workflow',
        description:
          'Limits declared in `document.metadata.limits` of the current version, whether the workflow is paused, and the queue of each limit. Keys of queues are visible only to callers who may read all executions of the workflow.',
        tags,
        params: workflowParams,
        response: { 200: workflowLimitsSchema.describe('The limits and how they stand.'), ...errors },
      },
    },
    (request) => stateOf(request, request.params.id),
  );

  app.get(
    '/api/v1/workflows/executions/:executionId/limits',
    {
      config: READ,
      schema: {
        operationId: 'getExecutionLimits',
        summary: 'Read why an execution is queued',
        description: 'The limit of its workflow, or the pause, for which an execution with the status created waits.',
        tags,
        params: executionParams,
        response: { 200: executionLimitsSchema.describe('The limit that delays the execution.'), ...errors },
      },
    },
    async (request) => {
      const found = await findWorkflowExecution(database, viewerOf(request), request.params.executionId);
      if (found === undefined) throw noSuchExecution();
      const waiting = await findWaiting(database, found.id);
      return { waitsFor: waiting === undefined ? null : waitRecord(waiting) };
    },
  );

  app.get(
    '/api/v1/paused-workflows',
    {
      config: READ,
      schema: {
        operationId: 'listPausedWorkflows',
        summary: 'List paused workflows',
        description: 'Paused workflows that the caller may see.',
        tags,
        response: { 200: pausedWorkflowsSchema.describe('Paused workflows.'), ...errors },
      },
    },
    async (request) => {
      const rows = await listPaused(database, viewerOf(request));
      return {
        data: rows.flatMap((row) => {
          const pause = pauseRecord(row);
          return pause === null ? [] : [{ ...pause, workflow: { id: row.id, name: row.slug } }];
        }),
      };
    },
  );

  app.post(
    '/api/v1/workflows/:id/pause',
    {
      config: WRITE,
      schema: {
        operationId: 'pauseWorkflow',
        summary: 'Pause a workflow',
        description:
          'New starts, including those of triggers, are accepted but queued until the workflow is resumed. So are executions that no worker has begun. Running executions continue. After the pause, a schedule starts once and counts the missed times. Idempotent.',
        tags,
        params: workflowParams,
        body: pauseBodySchema,
        response: { 200: workflowLimitsSchema.describe('It is paused.'), ...errors },
      },
    },
    async (request) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id, 'edit');
      await pauseWorkflow({ database, audit }, workflow, request.body?.reason, by(request));
      return stateOf(request, workflow.id);
    },
  );

  app.post(
    '/api/v1/workflows/:id/resume',
    {
      config: WRITE,
      schema: {
        operationId: 'resumeWorkflow',
        summary: 'Resume a workflow',
        description: 'Queued starts begin, within the limits of the workflow.',
        tags,
        params: workflowParams,
        response: { 200: workflowLimitsSchema.describe('It is not paused.'), ...errors },
      },
    },
    async (request) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id, 'edit');
      await resumeWorkflow({ database, audit, executions }, workflow, by(request));
      return stateOf(request, workflow.id);
    },
  );
}

function by(request: FastifyRequest) {
  return { actor: actorOf(request.caller), origin: originOf(request) };
}
