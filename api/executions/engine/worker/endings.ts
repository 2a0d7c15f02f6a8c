import type { LeaseEngine } from '#api/leases/lease-worker.ts';
import type { Database } from '#api/postgres/database.ts';
import { closeEnded, settleCancelled } from '../../store/cancel.ts';
import type { ClaimedExecution } from '../../store/claim.ts';
import { findRunningOfClosedAccounts } from '../../store/may-start.ts';
import type { Execution } from '../../tables/executions.ts';
import { ENDED, type EndedExecution, type FollowUps } from '../follow-ups.ts';
import type { ExecutionLease } from './leased-executions.ts';

/**
 * Follow-up work when executions end: for callers, parents, children and the next execution of a concurrency key. None
 * of these functions rejects.
 */
export interface Endings {
  /** Handles the end of a run. `orphans` finds children that may still run. */
  ended(lease: ExecutionLease, orphans?: () => Promise<readonly string[]>): Promise<void>;
  /** Handles executions that failed because they ended their workers. */
  workersLost(failed: readonly EndedExecution[]): Promise<void>;
  /** Cancels executions that run although the account of their owner is disabled or past its end. */
  cancelOfClosedAccounts(): Promise<void>;
  /** Ends cancelled executions that are not leased, and those of `ids` that this worker no longer processes. */
  settleCancelled(ids: readonly string[]): Promise<void>;
}

export function createEndings(
  {
    database,
    followUps,
    cancel,
    onCancelled,
  }: {
    readonly database: Database;
    readonly followUps: FollowUps;
    readonly cancel: (id: string) => Promise<unknown>;
    readonly onCancelled: (execution: Pick<Execution, 'id' | 'kind'>) => void;
  },
  { worker, attempt, wakeUp }: Pick<LeaseEngine<ClaimedExecution>, 'worker' | 'attempt' | 'wakeUp'>,
): Endings {
  async function follow(ended: readonly EndedExecution[]): Promise<void> {
    wakeUp(...ended.map(({ id }) => `${ENDED}${id}`));
    await followUps.notifyParents();
    await followUps.admitNext(ended);
  }

  return {
    async ended({ id, row: { awaited, concurrencyKey, limited } }, orphans) {
      wakeUp(`${ENDED}${id}`);
      if (awaited) await followUps.notifyParents();
      if (concurrencyKey !== null || limited) await followUps.admitNext([{ id, concurrencyKey, limited }]);
      if (orphans === undefined) return;
      for (const orphan of (await attempt(orphans)) ?? []) await attempt(() => cancel(orphan));
    },
    async workersLost(failed) {
      if (failed.length === 0) return;
      const ids = failed.map(({ id }) => id);
      await attempt(() => closeEnded(database, ids));
      await follow(failed);
    },
    async cancelOfClosedAccounts() {
      for (const id of (await attempt(() => findRunningOfClosedAccounts(database))) ?? [])
        await attempt(() => cancel(id));
    },
    async settleCancelled(ids) {
      const settled = (await attempt(() => settleCancelled(database, { worker, ids }))) ?? [];
      if (settled.length === 0) return;
      for (const execution of settled) onCancelled(execution);
      await follow(settled);
    },
  };
}
