import { randomBytes } from 'node:crypto';
import type { Audit } from '#api/audit/port.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { randomId } from '#api/executions/random-id.ts';
import type { Seal } from '#api/executions/secrets/seal.ts';
import { OPERATOR_LANE } from '#api/executions/store/queue-position.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { SealedColumn } from '#api/postgres/sealed-column.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { MAX_REQUEST_DEPTH, nestsDeeperThan } from '#schemas/json/depth.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { putWebhook, webhookOf } from '../tables/workflow-triggers.ts';
import type { Workflow } from '../tables/workflows.ts';
import { type StartDeps, startTriggered } from './start.ts';
import { checkSignature } from './webhook-signature.ts';

export interface WebhookDeps extends StartDeps {
  readonly audit: Audit;
  /** Encrypts secrets, which must be readable to compute signatures. A hash would not suffice. */
  readonly seal: Seal;
}

/**
 * Why a delivery starts nothing. `unsigned` also covers a missing webhook, so unauthenticated clients cannot discover
 * names.
 */
export class WebhookRefused extends Error {
  override readonly name = 'WebhookRefused';
  readonly reason: 'unsigned' | 'stale' | 'disabled' | 'unreadable';

  constructor(reason: WebhookRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

export interface Webhooks {
  /**
   * Creates the webhook of a workflow, or replaces its secret, which invalidates the old one. This is the only response
   * that contains the secret.
   */
  open(workflow: Workflow, by: { readonly actor: string; readonly origin: RequestOrigin }): Promise<{ secret: string }>;
  /**
   * Starts the workflow with the body as its input. A repeated delivery within the validity of its signature (five
   * minutes) returns the same execution. Rejects with `WebhookRefused`.
   */
  receive(delivery: {
    readonly slug: string;
    readonly signature: string | undefined;
    readonly body: Buffer;
    readonly requestId: string;
    readonly causation?: number;
    readonly trace?: TraceContext | undefined;
  }): Promise<{ readonly executionId: string }>;
}

export function createWebhooks(deps: WebhookDeps, { now = Date.now }: { readonly now?: () => number } = {}): Webhooks {
  const { database, audit, seal } = deps;

  return {
    async open(workflow, { actor, origin }) {
      const secret = `whs_${randomBytes(32).toString('base64url')}`;
      await inTransaction(database, async (transaction) => {
        const isNew = await putWebhook(transaction, {
          id: randomId('trg_'),
          workflowId: workflow.id,
          lane: workflow.ownerId ?? OPERATOR_LANE,
          secret: seal.seal(secret, contextOf(workflow.id)),
        });
        await audit.record(transaction, {
          actor,
          target: `workflow:${workflow.id}`,
          action: 'workflow.trigger',
          diff: { webhook: { before: isNew ? null : 'open', after: 'new secret' } },
          origin,
        });
      });
      return { secret };
    },

    async receive({ slug, signature, body, requestId, causation = 0, trace }) {
      const trigger = await webhookOf(database, slug);
      const secret = trigger?.secret == null ? undefined : seal.open(trigger.secret, contextOf(trigger.workflowId));
      const checked = checkSignature(signature, secret ?? UNKNOWN_SECRET, body, now());
      if (trigger === undefined || secret === undefined || (!checked.ok && checked.reason !== 'stale'))
        throw new WebhookRefused('unsigned', 'the signature is missing or wrong');
      if (!checked.ok)
        throw new WebhookRefused('stale', 'the signature is older than five minutes, or from the future');
      if (!trigger.enabled) throw new WebhookRefused('disabled', 'this trigger is switched off');
      const started = await startTriggered(deps, {
        trigger,
        type: 'webhook',
        occurrence: checked.delivery,
        input: inputOf(body),
        at: new Date(now()),
        requestId,
        causation,
        trace,
      });
      if (started.outcome === 'too-large') throw new WebhookRefused('unreadable', 'the body is too large');
      if (started.outcome === 'over-quota')
        throw new WebhookRefused('disabled', 'a quota of the owner of this workflow is used up');
      if (started.outcome === 'refused')
        throw new WebhookRefused('disabled', 'the owner of this workflow may not run it');
      return { executionId: started.executionId };
    },
  };
}

/** Used if the webhook does not exist, so the response takes the same time. */
const UNKNOWN_SECRET = randomBytes(32).toString('base64url');

function inputOf(body: Buffer): JsonValue {
  if (body.length === 0) return {};
  const text = body.toString('utf8');
  if (nestsDeeperThan(text, MAX_REQUEST_DEPTH))
    throw new WebhookRefused('unreadable', `the body is nested more than ${MAX_REQUEST_DEPTH} deep`);
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new WebhookRefused('unreadable', 'the body is not JSON');
  }
}

function contextOf(workflowId: string): string {
  return `webhook/${workflowId}`;
}

export const SEALED_WEBHOOK_SECRETS: SealedColumn = {
  values: 'secrets of webhooks',
  table: 'workflow_triggers',
  column: 'secret',
  key: ['workflow_id', 'kind'],
  contextOf: ([workflowId = '']) => contextOf(workflowId),
};
