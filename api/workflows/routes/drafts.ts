import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DRY_RUN, DRY_RUN_CAUSATION } from '#api/executions/engine/run/dry-run.ts';
import { isTerminal } from '#api/executions/engine/transitions.ts';
import { readPayload } from '#api/executions/payloads/keep-payload.ts';
import { READ, RUN } from '#api/executions/routes/access.ts';
import { actorOf, userOf } from '#api/http/access/caller.ts';
import { ApiError, apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import {
  checkBodySchema,
  checkedDefinitionSchema,
  dryRunBodySchema,
  dryRunResponseSchema,
} from '#schemas/api/workflows.ts';
import { CheckerBusy } from '../definitions/checker.ts';
import { DSL_SCHEMA } from '../definitions/dsl-schema.ts';
import { tasksOf } from '../definitions/walk.ts';
import { taskRecords } from '../records/task-records.ts';
import { findSnapshot, findWorkflowExecution } from '../tables/workflow-executions.ts';
import { type WorkflowRouteDeps, workflowOf } from './deps.ts';
import { tooBusy, workflowParams } from './read.ts';
import { issueOf, refuseRelease } from './release.ts';

const tags = ['workflows'];
/** 1 MiB of YAML in which JSON escapes every second character. */
const BODY_BYTES = 4 * 2 ** 20;
const errors = errorResponses(400, 401, 403, 404, 429, 503);

/**
 * Routes for editors, before a release: POST /api/v1/workflows/check, POST …/{id}/dry-run, GET /api/v1/workflow-schema.
 * Long: each route includes its description.
 */
export function draftRoutes(
  app: ApiServer,
  deps: Pick<WorkflowRouteDeps, 'database' | 'checker' | 'releases' | 'executions' | 'payloads'>,
): void {
  const { database, checker, releases, executions, payloads } = deps;
  const check = (yamlContent: string, request: FastifyRequest) =>
    checker.check(yamlContent, actorOf(request.caller)).catch((error: unknown) => {
      throw error instanceof CheckerBusy ? tooBusy(error) : error;
    });

  app.post(
    '/api/v1/workflows/check',
    {
      config: READ,
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'checkWorkflow',
        summary: 'Check a definition',
        description:
          'Validates a definition like a release, without releasing it. Returns problems with line and column, and the tasks. References to workflows, users and teams, and external schemas, are checked only at release.',
        tags,
        body: checkBodySchema,
        response: { 200: checkedDefinitionSchema.describe('The problems and tasks.'), ...errors },
      },
    },
    async (request) => {
      const checked = await check(request.body.yamlContent, request);
      if (!checked.ok) return { valid: false, issues: checked.issues.map(issueOf), tasks: [] };
      const places = tasksOf(checked.definition);
      const tasks = taskRecords(checked.definition).map((task, index) => ({
        ...task,
        place: [...(places[index]?.path ?? [])],
      }));
      return { valid: true, issues: [], tasks };
    },
  );

  app.post(
    '/api/v1/workflows/:id/dry-run',
    {
      config: RUN,
      bodyLimit: BODY_BYTES,
      schema: {
        operationId: 'dryRunWorkflow',
        summary: 'Run a definition without effects',
        description:
          'Starts an execution of this unreleased definition with the input of an earlier execution. Expressions, conditions, loops and schemas are evaluated. Calls, scripts and other workflows do not run: they return the outcomes that the earlier execution recorded for steps with the same names. Events are not sent, waits receive the recorded events, and timers fire immediately. A call or wait without a record fails the execution with an error that names the step. Needs the permission to change the workflow.',
        tags,
        params: workflowParams,
        body: dryRunBodySchema,
        response: { 201: dryRunResponseSchema.describe('It is accepted and will be run.'), ...errors },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const { yamlContent, executionId } = request.body;
      const workflow = await workflowOf(database, viewer, request.params.id, 'edit');
      const source = await findWorkflowExecution(database, viewer, executionId);
      const snapshot = source === undefined ? undefined : await findSnapshot(database, source.id);
      if (source === undefined || snapshot === undefined || source.workflowId !== workflow.id)
        throw apiError('not_found', 'the workflow has no such execution', 'executionId');
      if (!isTerminal(source.status) || source.triggerType === DRY_RUN)
        throw apiError('invalid_value', 'the execution must have ended and must not be a dry run', 'executionId');
      const checked = await check(yamlContent, request);
      if (!checked.ok) throw new ApiError('invalid_value', checked.issues.map(issueOf));
      const definition = await releases.embedSchemas(checked, workflow.slug, viewer).catch(refuseRelease);
      const input = await readPayload(payloads, snapshot.triggerInput, snapshot.triggerInputFile);
      const accepted = await executions.accept({
        kind: 'workflow',
        workflowId: workflow.id,
        versionId: workflow.currentVersionId,
        ownerId: (request.caller && userOf(request.caller)) ?? null,
        triggerType: DRY_RUN,
        startedBy: actorOf(request.caller),
        ...(input === null ? {} : { input }),
        metadata: { definition },
        sourceExecutionId: source.id,
        requestId: request.id,
        trace: request.trace,
        causation: DRY_RUN_CAUSATION,
      });
      // Conflicts need an idempotency key.
      if (accepted.outcome === 'conflict') throw new Error('a dry run has no idempotency key');
      return reply.code(201).send({ executionId: accepted.id });
    },
  );

  app.get(
    '/api/v1/workflow-schema',
    {
      config: READ,
      schema: {
        operationId: 'getWorkflowSchema',
        summary: 'Read the JSON Schema of the workflow language',
        description:
          'JSON Schema of the Serverless Workflow DSL 1.0, for editors that complete and validate definitions.',
        tags,
        response: { 200: z.record(z.string(), z.unknown()).describe('The schema.'), ...errors },
      },
    },
    async () => DSL_SCHEMA,
  );
}
