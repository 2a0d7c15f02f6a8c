import { z } from 'zod';
import { READ, WRITE } from '#api/executions/routes/access.ts';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import {
  type TriggerBody,
  triggerKindSchema,
  triggerListSchema,
  triggerSchema,
  webhookSchema,
} from '#schemas/api/triggers.ts';
import { removeWebhook, triggersOf, type WorkflowTrigger } from '../../tables/workflow-triggers.ts';
import type { Workflow } from '../../tables/workflows.ts';
import { switchTrigger } from '../../triggers/switch-trigger.ts';
import { SIGNATURE_HEADER } from '../../triggers/webhook-signature.ts';
import { requireActive, workflowOf } from '../deps.ts';
import { workflowParams } from '../read.ts';
import type { TriggerRouteDeps } from './deps.ts';

const tags = ['workflows'];
const errors = errorResponses(400, 401, 403, 404, 429, 503);

/**
 * GET /api/v1/workflows/{id}/triggers, PATCH …/triggers/{kind}, PUT and DELETE …/webhook. Long: each route includes its
 * description.
 */
export function manageTriggersRoutes(app: ApiServer, { database, audit, webhooks }: TriggerRouteDeps): void {
  app.get(
    '/api/v1/workflows/:id/triggers',
    {
      config: READ,
      schema: {
        operationId: 'listWorkflowTriggers',
        summary: 'List the triggers of a workflow',
        description:
          'Triggers from `schedule` of the current version, and the webhook. A release takes effect within a second.',
        tags,
        params: workflowParams,
        response: { 200: triggerListSchema.describe('Triggers.'), ...errors },
      },
    },
    async (request) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id);
      return { data: (await triggersOf(database, workflow.id)).map(triggerRecord) };
    },
  );

  app.patch(
    '/api/v1/workflows/:id/triggers/:kind',
    {
      config: WRITE,
      schema: {
        operationId: 'changeWorkflowTrigger',
        summary: 'Enable or disable a trigger',
        description:
          'The setting is kept over releases. A schedule that is enabled again continues from then; times while it was disabled are skipped. Deliveries to a disabled webhook get a 403.',
        tags,
        params: workflowParams.extend({ kind: triggerKindSchema }),
        body: z.strictObject({ enabled: z.boolean().describe('True if it starts executions') }),
        response: { 200: triggerSchema, ...errors },
      },
    },
    async (request) => {
      const { kind } = request.params;
      const { enabled } = request.body;
      const workflow = await workflowOf(database, viewerOf(request), request.params.id, 'edit');
      if (enabled) requireActive(workflow);
      const trigger = await inTransaction(database, async (transaction) => {
        const switched = await switchTrigger(transaction, { workflowId: workflow.id, kind }, enabled, Date.now());
        if (switched?.changed)
          await audit.record(transaction, {
            ...by(request, workflow),
            diff: { [kind]: { before: enabled ? 'off' : 'on', after: enabled ? 'on' : 'off' } },
          });
        return switched?.trigger;
      });
      if (trigger === undefined) throw apiError('not_found', 'the workflow has no trigger of this kind');
      return triggerRecord(trigger);
    },
  );

  app.put(
    '/api/v1/workflows/:id/webhook',
    {
      config: WRITE,
      schema: {
        operationId: 'openWorkflowWebhook',
        summary: 'Open the webhook of a workflow, or give it a new secret',
        description: 'Only this response contains the secret. An earlier secret becomes invalid immediately.',
        tags,
        params: workflowParams,
        response: { 200: webhookSchema.describe('The webhook.'), ...errors },
      },
    },
    async (request) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id, 'edit');
      requireActive(workflow);
      const { actor, origin } = by(request, workflow);
      const { secret } = await webhooks.open(workflow, { actor, origin });
      return { path: `/api/v1/workflows/${workflow.slug}/webhook`, header: SIGNATURE_HEADER, secret };
    },
  );

  app.delete(
    '/api/v1/workflows/:id/webhook',
    {
      config: WRITE,
      schema: {
        operationId: 'closeWorkflowWebhook',
        summary: 'Close the webhook of a workflow',
        description: 'Deliveries get the same response as for a workflow without a webhook.',
        tags,
        params: workflowParams,
        response: { 204: z.undefined().describe('It is closed.'), ...errors },
      },
    },
    async (request, reply) => {
      const workflow = await workflowOf(database, viewerOf(request), request.params.id, 'edit');
      const removed = await inTransaction(database, async (transaction) => {
        if (!(await removeWebhook(transaction, workflow.id))) return false;
        const diff = { webhook: { before: 'open', after: null } };
        await audit.record(transaction, { ...by(request, workflow), diff });
        return true;
      });
      if (!removed) throw apiError('not_found', 'the workflow has no webhook');
      return reply.code(204).send();
    },
  );
}

type Asking = Parameters<typeof viewerOf>[0] & Parameters<typeof originOf>[0];

function by(request: Asking, workflow: Workflow) {
  return {
    actor: actorOf(request.caller),
    origin: originOf(request),
    target: `workflow:${workflow.id}`,
    action: 'workflow.trigger' as const,
  };
}

function triggerRecord(trigger: WorkflowTrigger): TriggerBody {
  const { id, kind, enabled, spec, problem, nextAt, lastAt, missed } = trigger;
  return {
    id,
    kind,
    enabled,
    spec: { ...spec },
    problem,
    nextAt: nextAt?.toISOString() ?? null,
    lastAt: lastAt?.toISOString() ?? null,
    missed,
  };
}
