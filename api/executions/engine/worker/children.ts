import { exceededQuota, quotaMessage } from '#api/accounts/tables/quotas.ts';
import type { WakeUp } from '#api/leases/wake-up.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { JsonValue } from '../../json-value.ts';
import { holdsSlot } from '../../limits/admissions.ts';
import type { FindStartLimits, LimitedStart, StartLimits } from '../../limits/start-limits.ts';
import { keepPayload, PayloadTooLarge, readPayload } from '../../payloads/keep-payload.ts';
import type { PayloadStore } from '../../payloads/port.ts';
import { findAccepted, insertExecution } from '../../store/accept.ts';
import { holdParent } from '../../store/leases.ts';
import { childOutcome, type PendingSignal } from '../../store/signals.ts';
import { ERROR_TYPES } from '../contract/standard-error.ts';
import { engineError, TaskFailure } from '../contract/task-failure.ts';
import type { StepPath } from '../contract/workflow-error.ts';
import { newExecutionId } from '../execution-id.ts';
import { type FollowUps, PENDING } from '../follow-ups.ts';
import type { ChildResult, RunTaskCommand } from '../run/run-port.ts';
import type { ExecutionLease } from './leased-executions.ts';
import { patiently } from './patient-interpreter.ts';

/** Finds the released version for a sub-workflow. Resolves to undefined if the owner may not run it. */
export type ResolveWorkflow = (wanted: {
  readonly slug: string;
  readonly version: string;
  readonly ownerId: string | null;
}) => Promise<{ readonly workflowId: string; readonly versionId: string } | undefined>;

/** Maximum nesting of sub-workflows. It ends a workflow that runs itself. */
const MAX_DEPTH = 16;

export interface Children {
  /**
   * Starts the child of a step unless it exists. Resolves to its id. Rejects with `TaskFailure` if the child cannot be
   * started, and with another error if this worker has lost the lease of the parent.
   */
  start(parent: ExecutionLease, command: RunTaskCommand): Promise<string>;
  result(signal: PendingSignal): Promise<ChildResult>;
  /**
   * Cancels the children of all attempts of a step up to this one, which has ended. A later attempt may already run.
   */
  cancel(parent: ExecutionLease, step: StepPath, attempt: number): Promise<void>;
}

export function createChildren({
  database,
  wakeUp,
  payloads,
  resolveWorkflow,
  startLimits,
  admitStarts,
  afterCancel,
}: {
  readonly database: Database;
  readonly wakeUp: WakeUp;
  readonly payloads: PayloadStore | undefined;
  readonly resolveWorkflow: ResolveWorkflow | undefined;
  /** Undefined: starts have no limits. */
  readonly startLimits: FindStartLimits | undefined;
  readonly admitStarts: FollowUps['admitStarts'];
  readonly afterCancel: (id: string) => Promise<unknown>;
}): Children {
  return {
    async start(parent, { step, attempt, task }) {
      if (task.kind !== 'workflow') throw new Error('not a sub-workflow');
      const { row: execution } = parent;
      const { slug, version, input } = task;
      if (execution.depth >= MAX_DEPTH) throw refused(`workflows run each other more than ${MAX_DEPTH} deep`);
      const found = await resolveWorkflow?.({ slug, version, ownerId: execution.ownerId });
      if (found === undefined) throw refused(`there is no workflow ${slug} of version ${version}`);
      const id = newExecutionId();
      const kept = await keepPayload(payloads, `${id}/input`, 'the input', input).catch((error: unknown) => {
        throw error instanceof PayloadTooLarge ? refused(error.message) : error;
      });
      const limits = await limitsOfChild(database, startLimits, parent, { ...found, input, awaited: task.await });
      const started = await inTransaction(database, async (transaction) => {
        if (!(await holdParent(transaction, parent))) throw new Error('the lease of the parent execution is lost');
        return insertExecution(
          transaction,
          {
            ...found,
            id,
            kind: 'workflow',
            ownerId: execution.ownerId,
            triggerType: 'workflow',
            input: kept,
            priority: execution.priority,
            parentId: execution.id,
            parentStep: step,
            parentAttempt: attempt,
            awaited: task.await,
            rootId: execution.rootId,
            depth: execution.depth + 1,
            causation: execution.causation,
            requestId: execution.requestId,
            limits,
            trace: execution.trace,
          },
          undefined,
        );
      }).catch(async (error: unknown) => {
        const exceeded = exceededQuota(error);
        if (exceeded === undefined) throw error;
        if (kept.file !== null) await payloads?.delete([kept.file]);
        throw refused(quotaMessage(exceeded));
      });
      if (started === undefined) {
        if (kept.file !== null) await payloads?.delete([kept.file]);
        const key = { parentId: execution.id, parentStep: step, parentAttempt: attempt };
        return (await findAccepted(database, key, undefined))?.id ?? id;
      }
      if (limits === undefined) wakeUp(PENDING);
      else await admitStarts({ workflowId: found.workflowId, slotKey: limits.slotKey, rateKey: limits.rateKey });
      return id;
    },

    async result({ payload, target, attempt }) {
      const { child } = payload as { child: string };
      const at = { step: target, attempt: attempt ?? 1 };
      const outcome = await childOutcome(database, child);
      // Retention has deleted the child, so its result is lost.
      if (outcome === undefined)
        return { ...at, error: engineError('Sub-workflow gone', `${child} was deleted by retention`) };
      if (outcome.status === 'completed')
        return { ...at, output: await readPayload(payloads, outcome.result, outcome.resultFile) };
      const fallback = engineError('Sub-workflow ended', `${child} is ${outcome.status}`);
      return { ...at, error: { ...(outcome.error ?? fallback), instance: target } };
    },

    async cancel({ id }, step, attempt) {
      const children = await database
        .selectFrom('executions')
        .select('id')
        .where('parentId', '=', id)
        .where('parentStep', '=', step)
        .where('parentAttempt', '<=', attempt)
        .where('completedAt', 'is', null)
        .where('awaited', '=', true)
        .execute();
      for (const child of children) await afterCancel(child.id);
    },
  };
}

/**
 * Returns the limits that apply to a child. An execution tree holds at most one slot. Otherwise executions that hold
 * slots could deadlock while they wait for each other's slots.
 */
async function limitsOfChild(
  database: Database,
  startLimits: FindStartLimits | undefined,
  { row }: ExecutionLease,
  child: Pick<LimitedStart, 'workflowId' | 'versionId' | 'input'> & { readonly awaited: boolean },
): Promise<StartLimits | undefined> {
  const found =
    startLimits && (await patiently(() => startLimits({ ...child, ownerId: row.ownerId, triggerType: 'workflow' })));
  if (found === undefined) return undefined;
  const slotKey = found.slotKey !== '' && child.awaited && (await holdsSlot(database, row.id)) ? '' : found.slotKey;
  // A step waits for its own child, so the child is never merged with other starts.
  return slotKey === '' && found.rateKey === '' ? undefined : { ...found, slotKey, gather: undefined };
}

function refused(detail: string): TaskFailure {
  return new TaskFailure({ type: `${ERROR_TYPES}configuration`, status: 400, title: 'Sub-workflow', detail });
}

/** Output of a sub-workflow task that does not wait. */
export function detachedOutput(id: string): JsonValue {
  return { executionId: id };
}
