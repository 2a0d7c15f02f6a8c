import { z } from 'zod';
import type { Audit } from '#api/audit/port.ts';
import { WRITE } from '#api/executions/routes/access.ts';
import { actorOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { mayChange } from '#api/http/responses/entity-tag.ts';
import { changedSinceRead, ifMatchHeaders } from '#api/http/responses/if-match.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { workflowTag } from '../definitions/release.ts';
import { switchTriggersOff } from '../tables/workflow-triggers.ts';
import { archiveWorkflow, lockWorkflow } from '../tables/workflows.ts';
import { noSuchWorkflow, workflowOf } from './deps.ts';
import { workflowParams } from './read.ts';

export interface DeleteWorkflowDeps {
  readonly database: Database;
  readonly audit: Audit;
}

/** DELETE /api/v1/workflows/{id}. */
export function deleteWorkflowRoute(app: ApiServer, { database, audit }: DeleteWorkflowDeps): void {
  app.delete(
    '/api/v1/workflows/:id',
    {
      config: WRITE,
      schema: {
        operationId: 'deleteWorkflow',
        summary: 'Delete a workflow',
        description:
          'The workflow is no longer listed, and neither the API nor other workflows or agents can run it. Its triggers are disabled. Executions that were accepted before continue. Its versions and executions can still be read, and its name remains taken. A release with its name restores it; its triggers stay disabled until they are enabled. Idempotent.',
        tags: ['workflows'],
        params: workflowParams,
        headers: ifMatchHeaders('workflow'),
        response: { 204: z.undefined().describe('It is deleted.'), ...errorResponses(400, 401, 403, 404, 429, 503) },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const { slug } = await workflowOf(database, viewer, request.params.id, 'edit');
      await inTransaction(database, async (transaction) => {
        const workflow = await lockWorkflow(transaction, viewer, slug);
        if (workflow === undefined) throw noSuchWorkflow();
        if (!mayChange(request.headers['if-match'], workflowTag(workflow))) throw changedSinceRead();
        if (workflow.archivedAt !== null) return;
        await archiveWorkflow(transaction, workflow.id);
        await switchTriggersOff(transaction, workflow.id);
        await audit.record(transaction, {
          actor: actorOf(request.caller),
          target: `workflow:${workflow.id}`,
          action: 'workflow.delete',
          diff: { archived: { before: false, after: true } },
          origin: originOf(request),
        });
      });
      return reply.code(204).send();
    },
  );
}
