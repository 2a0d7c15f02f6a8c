import { exceededQuota } from '#api/accounts/tables/quotas.ts';
import type { Executions } from '#api/executions/engine/executions.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { PayloadTooLarge } from '#api/executions/payloads/keep-payload.ts';
import type { OwnerMay } from '#api/executions/tasks/functions/owner-may.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { type ArmedTrigger, findOccurrence, noteFired, takeOccurrence } from '../tables/workflow-triggers.ts';

/** Trigger types: schedule, event, detection, webhook. Executions store them. */
export type TriggerType = 'schedule' | 'event' | 'detection' | 'webhook';

export interface StartDeps {
  readonly database: Database;
  readonly executions: Pick<Executions, 'accept'>;
  /** Workflows run with the rights of their owner. Nothing starts if the owner has lost the permission to run. */
  readonly ownerMay: OwnerMay;
}

export interface Cause {
  readonly trigger: ArmedTrigger;
  readonly type: TriggerType;
  /** Key of the cause, the same in every process. */
  readonly occurrence: string;
  readonly input: JsonValue;
  readonly at: Date;
  readonly requestId?: string;
  /** Length of the causal chain; see `MAX_CAUSATION`. */
  readonly causation?: number;
  /** Trace context of the cause. */
  readonly trace?: TraceContext | undefined;
}

/**
 * Result of a cause. `started`: started, or merged into a waiting execution. `repeated`: already handled. `refused`:
 * the owner may not run the workflow. `too-large`: the input exceeds all limits. `over-quota`: a quota of the owner is
 * exhausted.
 */
export type Started =
  | { readonly outcome: 'started' | 'repeated'; readonly executionId: string }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'too-large' }
  | { readonly outcome: 'over-quota' };

/**
 * Starts the workflow of a trigger, at most once per cause. The execution, the occurrence and the work of `within` are
 * one transaction. Both execution and occurrence are unique by cause.
 */
export async function startTriggered(
  { database, executions, ownerMay }: StartDeps,
  { trigger, type, occurrence, input, at, requestId, causation = 0, trace }: Cause,
  within: (transaction: Db) => Promise<void> = async () => {},
): Promise<Started> {
  const { id: triggerId, workflowId, versionId, ownerId } = trigger;
  const settle = async (transaction: Db, executionId: string | null): Promise<void> => {
    await within(transaction);
    if (!(await takeOccurrence(transaction, { triggerId, occurrence, executionId }))) throw new TakenBefore();
    await noteFired(transaction, triggerId, at);
  };
  const leave = async <Outcome extends 'refused' | 'too-large' | 'over-quota'>(
    outcome: Outcome,
  ): Promise<{ outcome: Outcome }> => {
    await inTransaction(database, (transaction) => settle(transaction, null));
    return { outcome };
  };
  try {
    if (!(await ownerMay(ownerId, 'workflows:run'))) return await leave('refused');
    const accepted = await executions
      .accept(
        {
          kind: 'workflow',
          workflowId,
          versionId,
          ownerId,
          triggerType: type,
          cause: `${type}:${triggerId}:${occurrence}`,
          input,
          mergeable: true,
          inputIsList: type === 'event' || type === 'detection',
          causation,
          trace,
          ...(requestId === undefined ? {} : { requestId }),
        },
        settle,
      )
      .catch((error: unknown) => {
        if (error instanceof PayloadTooLarge) return 'too-large' as const;
        if (exceededQuota(error) !== undefined) return 'over-quota' as const;
        throw error;
      });
    // A permanent failure: a retry would never succeed, and would block other causes.
    if (typeof accepted === 'string') return await leave(accepted);
    if (accepted.outcome === 'conflict') throw new Error('a trigger has no idempotency key');
    return { outcome: accepted.outcome === 'repeated' ? 'repeated' : 'started', executionId: accepted.id };
  } catch (error) {
    if (!(error instanceof TakenBefore)) throw error;
    const { executionId } = (await findOccurrence(database, triggerId, occurrence)) ?? { executionId: null };
    return executionId === null ? { outcome: 'refused' } : { outcome: 'repeated', executionId };
  }
}

/** Rolls the transaction back, because another process handled the cause first. */
class TakenBefore extends Error {}
