import { causationOf } from '#api/executions/engine/causation.ts';
import { DRY_RUN } from '#api/executions/engine/run/dry-run.ts';
import { readPayload } from '#api/executions/payloads/keep-payload.ts';
import { executionParams, noSuchExecution, RUN } from '#api/executions/routes/access.ts';
import { findTracedStep } from '#api/executions/store/repetition.ts';
import { listExecutionFiles, putExecutionFiles } from '#api/executions/tables/execution-files.ts';
import { actorOf, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { idempotencyKeyOf } from '#api/http/idempotency-key.ts';
import { mayDo, standingOf } from '#api/sharing/permissions.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { rerunBodySchema, rerunResponseSchema } from '#schemas/api/executions.ts';
import { findSnapshot, findWorkflowExecution, statusOfExecution } from '../tables/workflow-executions.ts';
import { findWorkflow } from '../tables/workflows.ts';
import { notAllowed, refuseWhenBusy, requireActive, type WorkflowRouteDeps } from './deps.ts';

/** POST /api/v1/workflows/executions/{executionId}/rerun. */
export function rerunRoute(
  app: ApiServer,
  { database, executions, payloads }: Pick<WorkflowRouteDeps, 'database' | 'executions' | 'payloads'>,
): void {
  app.post(
    '/api/v1/workflows/executions/:executionId/rerun',
    {
      config: RUN,
      schema: {
        operationId: 'rerunWorkflowExecution',
        summary: 'Run again',
        description:
          'Starts an execution of the same version with the same input, files and overrides. With `fromStep`, the results of earlier steps are reused from this execution. With the header `Idempotency-Key`, the same request within 24 hours returns the same execution.',
        tags: ['workflows'],
        params: executionParams,
        body: rerunBodySchema,
        response: {
          202: rerunResponseSchema.describe('It is accepted and will be run.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const { caller } = request;
      const key = idempotencyKeyOf(request.headers);
      const source = await findWorkflowExecution(database, viewer, request.params.executionId);
      const snapshot = source === undefined ? undefined : await findSnapshot(database, source.id);
      if (source === undefined || snapshot === undefined) throw noSuchExecution();
      if (source.triggerType === DRY_RUN)
        throw apiError('invalid_value', 'a dry run cannot be repeated: its definition was not released', 'executionId');
      // Access to an old execution does not include the permission to run a workflow that was withdrawn since.
      const workflow = await findWorkflow(database, viewer, source.workflowId);
      if (workflow === undefined) throw noSuchExecution();
      if (!mayDo('run', standingOf(viewer, workflow))) throw notAllowed('run');
      requireActive(workflow);
      const named = request.body?.fromStep;
      const fromStep = named === undefined ? undefined : await findTracedStep(database, source.id, named);
      if (named !== undefined && fromStep === undefined)
        throw apiError('invalid_value', 'the execution has no such step', 'fromStep');
      const input = await readPayload(payloads, snapshot.triggerInput, snapshot.triggerInputFile);
      const files = await listExecutionFiles(database, [source.id], ['input']);
      const accepted = await executions
        .accept(
          {
            kind: 'workflow',
            workflowId: source.workflowId,
            versionId: source.versionId,
            ownerId: (caller && userOf(caller)) ?? null,
            triggerType: fromStep === undefined ? 'rerun' : 'replay',
            startedBy: actorOf(caller),
            ...(input === null ? {} : { input }),
            overrides: snapshot.overrides,
            sourceExecutionId: source.id,
            replayFrom: fromStep ?? null,
            exampleId: snapshot.exampleId,
            concurrencyKey: snapshot.concurrencyKey,
            requestId: request.id,
            trace: request.trace,
            causation: causationOf(request.headers),
            ...(key === undefined
              ? {}
              : { idempotency: { caller: actorOf(caller), key, body: ['rerun', source.id, fromStep ?? null] } }),
          },
          files.length === 0 ? undefined : (transaction, id) => putExecutionFiles(transaction, id, files),
        )
        .catch(refuseWhenBusy);
      if (accepted.outcome === 'conflict')
        throw apiError('invalid_value', 'this key was used for another request', 'Idempotency-Key');
      // The execution exists. A client that receives an error now would start another one.
      const status = await statusOfExecution(database, accepted.id).catch(() => undefined);
      return reply
        .code(202)
        .send({ executionId: accepted.id, sourceExecutionId: source.id, status: status ?? 'pending' });
    },
  );
}
