import type { FastifyRequest } from 'fastify';
import type { Audit, AuditAction } from '#api/audit/port.ts';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import {
  executionSuspensionSchema,
  resumeExecutionResponseSchema,
  suspendExecutionResponseSchema,
} from '#schemas/api/executions.ts';
import type { Suspension } from '../engine/suspension.ts';
import { findSuspension } from '../store/suspend.ts';
import { executionParams, noSuchExecution, READ, RUN } from './access.ts';
import { visibleExecution } from './one.ts';

const tags = ['workflows'];
const errors = errorResponses(400, 401, 403, 404, 429, 503);

export interface SuspensionRouteDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly executions: Suspension;
}

/**
 * POST /api/v1/executions/{executionId}/suspend and …/resume, GET …/suspension. Separate routes, because existing
 * clients reject unknown fields in executions.
 */
export function suspensionRoutes(app: ApiServer, { database, audit, executions }: SuspensionRouteDeps): void {
  app.post(
    '/api/v1/executions/:executionId/suspend',
    {
      config: RUN,
      schema: {
        operationId: 'suspendExecution',
        summary: 'Suspend an execution of a workflow',
        description:
          'Tasks in progress end and are recorded; no other step begins until the execution is resumed. Sub-workflows that it waits for are suspended with it. Events, decisions and outcomes that arrive while it is suspended are stored. Idempotent.',
        tags,
        params: executionParams,
        response: { 200: suspendExecutionResponseSchema.describe('The result.'), ...errors },
      },
    },
    async (request) => {
      const { executionId } = request.params;
      await changeable(request, executionId);
      return found(await executions.suspend(executionId, auditedBy(request, executionId, 'execution.suspend')));
    },
  );

  app.post(
    '/api/v1/executions/:executionId/resume',
    {
      config: RUN,
      schema: {
        operationId: 'resumeExecution',
        summary: 'Resume a suspended execution',
        description:
          'The execution continues where it stopped, as do suspended sub-workflows that it waits for. Timeouts are extended by the duration of the suspension. A wait whose time has passed ends immediately. Idempotent.',
        tags,
        params: executionParams,
        response: { 200: resumeExecutionResponseSchema.describe('The result.'), ...errors },
      },
    },
    async (request) => {
      const { executionId } = request.params;
      await changeable(request, executionId);
      return found(await executions.resume(executionId, auditedBy(request, executionId, 'execution.resume')));
    },
  );

  app.get(
    '/api/v1/executions/:executionId/suspension',
    {
      config: READ,
      schema: {
        operationId: 'getExecutionSuspension',
        summary: 'Read whether an execution is suspended',
        description: 'A suspended execution has the status waiting. After a request, its tasks in progress end first.',
        tags,
        params: executionParams,
        response: {
          200: executionSuspensionSchema.describe('The suspension; null if the execution is not suspended.'),
          ...errors,
        },
      },
    },
    async (request) => {
      const { executionId } = request.params;
      await visibleExecution(database, request, executionId, 'read');
      const suspension = await findSuspension(database, executionId);
      if (suspension === undefined) return { suspension: null };
      const { requestedAt, suspendedAt } = suspension;
      return {
        suspension: { requestedAt: requestedAt.toISOString(), suspendedAt: suspendedAt?.toISOString() ?? null },
      };
    },
  );

  async function changeable(request: FastifyRequest, executionId: string): Promise<void> {
    const { kind, mayChange } = await visibleExecution(database, request, executionId, 'run');
    if (!mayChange)
      throw apiError('forbidden', 'you may read this execution, but not change it: its owner can grant `run`');
    if (kind === 'agent') throw apiError('invalid_value', 'executions of agents cannot be suspended');
  }

  function auditedBy(request: FastifyRequest, executionId: string, action: AuditAction) {
    const suspends = action === 'execution.suspend';
    return (transaction: Db) =>
      audit.record(transaction, {
        actor: actorOf(request.caller),
        origin: originOf(request),
        target: `execution:${executionId}`,
        action,
        diff: { suspended: { before: !suspends, after: suspends } },
      });
  }
}

function found<T>(answer: T | undefined): T {
  if (answer === undefined) throw noSuchExecution();
  return answer;
}
