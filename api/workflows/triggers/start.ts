import { exceededQuota } from '#api/accounts/tables/quotas.ts';
import type { Executions } from '#api/executions/engine/executions.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { PayloadTooLarge } from '#api/executions/payloads/keep-payload.ts';
import type { OwnerMay } from '#api/executions/tasks/functions/owner-may.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { type ArmedTrigger, findOccurrence, noteFired, takeOccurrence } from '../tables/workflow-triggers.ts';

/** schedule, event, detection, webhook: as executions name what made them begin. */
export type TriggerType = 'schedule' | 'event' | 'detection' | 'webhook';

export interface StartDeps {
  readonly database: Database;
  readonly executions: Pick<Executions, 'accept'>;
  /** Workflows run on behalf of their owner: nothing starts for an owner who lost the right to run. */
  readonly ownerMay: OwnerMay;
}

export interface Cause {
  readonly trigger: ArmedTrigger;
  readonly type: TriggerType;
  /** The same cause has the same text in every process. */
  readonly occurrence: string;
  readonly input: JsonValue;
  readonly at: Date;
  readonly requestId?: string;
  /** How many executions stand behind it; see `MAX_CAUSATION`. */
  readonly causation?: number;
  /** What made it begin. */
  readonly trace?: TraceContext | undefined;
}

/** What came of a cause: `started`, perhaps as part of an execution that waited for more; `repeated`, it was taken before; `refused`, its owner may not; `too-large`, the input is above every limit; `over-quota`, a quota of its owner is used up. */
export type Started =
  | { readonly outcome: 'started' | 'repeated'; readonly executionId: string }
  | { readonly outcome: 'refused' }
  | { readonly outcome: 'too-large' }
  | { readonly outcome: 'over-quota' };

/**
 * Starts the workflow of a trigger, once a cause: the execution, the occurrence and what `within` does are one transaction, and both the execution and the
 * occurrence are unique by the cause.
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
    // It does not pass: a retry would repeat without end, and keep others waiting.
    if (typeof accepted === 'string') return await leave(accepted);
    if (accepted.outcome === 'conflict') throw new Error('a trigger has no idempotency key');
    return { outcome: accepted.outcome === 'repeated' ? 'repeated' : 'started', executionId: accepted.id };
  } catch (error) {
    if (!(error instanceof TakenBefore)) throw error;
    const { executionId } = (await findOccurrence(database, triggerId, occurrence)) ?? { executionId: null };
    return executionId === null ? { outcome: 'refused' } : { outcome: 'repeated', executionId };
  }
}

/** Rolls the transaction back: another process was first. */
class TakenBefore extends Error {}
