import multipart from '@fastify/multipart';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { causationOf } from '#api/executions/engine/causation.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { PayloadTooLarge } from '#api/executions/payloads/keep-payload.ts';
import { RUN } from '#api/executions/routes/access.ts';
import { waitSeconds } from '#api/executions/routes/wait-seconds.ts';
import { putExecutionFiles } from '#api/executions/tables/execution-files.ts';
import { actorOf, principalOf, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { inputForm, jsonOrForm } from '#api/http/bodies/described-form.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { idempotencyKeyOf } from '#api/http/idempotency-key.ts';
import { createLongPoll } from '#api/http/responses/long-poll.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { runBodySchema, runResponseSchema } from '#schemas/api/executions.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { overrideProblem } from '../definitions/override-problem.ts';
import type { JsonRecord } from '../definitions/walk.ts';
import { workflowExecutionRecord } from '../records/workflow-execution-record.ts';
import { findWorkflowExecution } from '../tables/workflow-executions.ts';
import { findVersion, findVersionId, type WorkflowVersion } from '../tables/workflow-versions.ts';
import type { Workflow } from '../tables/workflows.ts';
import { RUN_LIMITS, refuseWhenBusy, type WorkflowRouteDeps, workflowOf } from './deps.ts';
import { noSuchVersion, workflowParams } from './read.ts';
import { type RunRequest, readRunRequest } from './run-request.ts';

/** The maximum stored size of an input, in JSON. */
const BODY_BYTES = 17 * 2 ** 20;

const query = z.strictObject({
  version: storableText(100)
    .default('latest')
    .describe('Id or tag of a version, or latest')
    .meta({ example: 'latest' }),
  wait_for_completion: waitSeconds,
});

type RunResponse = z.infer<typeof runResponseSchema>;

/**
 * POST /api/v1/workflows/{id}/run. Adds a parser for forms to the current scope.
 *
 * If an execution exists, the response is a 201: with its outcome if it ended in time, otherwise only with its id.
 * Long: the route includes its description and the forms of its body.
 */
export async function runWorkflowRoute(app: ApiServer, deps: WorkflowRouteDeps): Promise<void> {
  const { database, executions, watch, payloads, contents } = deps;
  const limits = { ...RUN_LIMITS, ...deps.runLimits };
  const hold = createLongPoll({ max: limits.held });
  await app.register(multipart, { throwFileSizeLimit: false });

  app.post(
    '/api/v1/workflows/:id/run',
    {
      config: { ...RUN, describedBody: jsonOrForm(runBodySchema, inputForm('The fields of the JSON body, as JSON')) },
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'runWorkflow',
        summary: 'Run a workflow',
        description:
          'The body is JSON `{input, overrides, trigger}`, or a form. Each file of a form is in a field with the name of its input, and the text field `_json` has that object. Fields may be in any order. Responds with 201 and the id. With `wait_for_completion`, the connection is held until the end, with a space every 15 seconds before the body. With the header `Idempotency-Key`, the same request within 24 hours returns the same execution; a different body is a 400. `overrides.steps` sets outputs of steps by name, which are then not executed.',
        tags: ['workflows'],
        params: workflowParams,
        querystring: query,
        response: {
          201: runResponseSchema.describe('It is accepted and will be run.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const workflow = await workflowOf(database, viewer, request.params.id, 'run');
      const versionId = await findVersionId(database, workflow, request.query.version);
      if (versionId === undefined) throw noSuchVersion();
      const wanted = await readRunRequest(request, contents, limits);
      const steps = Object.keys(wanted.overrides?.steps ?? {});
      if (steps.length > 0) checkOverrides(steps, await findVersion(database, workflow, versionId));
      checkPriority(wanted.priority, viewer.administrator);
      const executionId = await accept(request, { workflow, versionId, wanted });
      const seconds = request.query.wait_for_completion ?? 0;
      reply.code(201);
      if (seconds === 0) return { executionId };
      const body = hold(principalOf(request.caller), async (signal) => {
        const ended = await watch.waitForEnd(executionId, { ms: seconds * 1_000, signal });
        return ended ? outcomeOf(executionId) : { executionId };
      });
      if (body === undefined) return { executionId };
      const untyped: FastifyReply = reply;
      return untyped.type('application/json; charset=utf-8').send(body);
    },
  );

  async function accept(
    request: FastifyRequest<{ Querystring: unknown }>,
    { workflow, versionId, wanted }: { workflow: Workflow; versionId: string; wanted: RunRequest },
  ): Promise<string> {
    const { caller } = request;
    const key = idempotencyKeyOf(request.headers);
    const { input, files, overrides, trigger, exampleId, priority, concurrencyKey } = wanted;
    const steps = Object.keys(overrides?.steps ?? {}).length;
    const asked = (request.query as { readonly version: string }).version;
    const accepted = await executions
      .accept(
        {
          kind: 'workflow',
          workflowId: workflow.id,
          versionId,
          ownerId: (caller && userOf(caller)) ?? null,
          triggerType: trigger ?? 'api',
          startedBy: actorOf(caller),
          input,
          overrides: (overrides?.steps ?? null) as Readonly<Record<string, JsonValue>> | null,
          exampleId: exampleId ?? null,
          ...(priority === undefined ? {} : { priority }),
          // Prefixed so that keys of different workflows are independent.
          concurrencyKey: concurrencyKey === undefined ? null : `${workflow.id}:${concurrencyKey}`,
          mergeable: files.length + steps === 0 && exampleId == null && concurrencyKey === undefined,
          requestId: request.id,
          trace: request.trace,
          causation: causationOf(request.headers),
          ...(key === undefined
            ? {}
            : {
                idempotency: {
                  caller: actorOf(caller),
                  key,
                  body: [
                    'run',
                    workflow.id,
                    asked,
                    { ...wanted, files: files.map(({ contentHash }) => contentHash) },
                  ] as JsonValue,
                },
              }),
        },
        files.length === 0 ? undefined : (transaction, id) => putExecutionFiles(transaction, id, files),
      )
      .catch((error: unknown) => {
        if (error instanceof PayloadTooLarge) throw apiError('invalid_value', error.message, 'input');
        return refuseWhenBusy(error);
      });
    if (accepted.outcome === 'conflict')
      throw apiError('invalid_value', 'this key was used for another request', 'Idempotency-Key');
    return accepted.id;
  }

  /**
   * Returns status, and result or error. Returns only the id if they cannot be read now, because the execution exists.
   */
  async function outcomeOf(executionId: string): Promise<RunResponse> {
    try {
      const found = await findWorkflowExecution(database, { userId: undefined, administrator: true }, executionId);
      if (found === undefined) return { executionId };
      const { status, result, error } = await workflowExecutionRecord(found, payloads);
      return { executionId, status, result: result ?? null, error: error ?? null };
    } catch {
      return { executionId };
    }
  }
}

function checkOverrides(steps: readonly string[], version: WorkflowVersion | undefined): void {
  const problem = overrideProblem(steps, (version?.definition ?? {}) as JsonRecord);
  if (problem === undefined) return;
  const at = problem.step === undefined ? '' : `.${problem.step}`;
  throw apiError('invalid_value', problem.message, `overrides.steps${at}`);
}

function checkPriority(priority: number | undefined, administrator: boolean): void {
  if ((priority ?? 0) > 0 && !administrator)
    throw apiError('forbidden', 'only administrators may set a priority above 0', 'priority');
}
