import { settleUsage } from '#api/accounts/tables/quotas.ts';
import type { LeaseEngine } from '#api/leases/lease-worker.ts';
import type { WorkerLogger } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { workflowsWithDue, workflowsWithWaiting } from '../../limits/admissions.ts';
import { holdQueued, pausedWorkflows } from '../../limits/hold.ts';
import { needsAttention, wakeDue } from '../../store/attention.ts';
import type { ClaimedExecution } from '../../store/claim.ts';
import { freeKeys } from '../../store/keys.ts';
import { reclaimExpiredExecutions } from '../../store/leases.ts';
import { foldChanges, vacuumChanges } from '../../store/noted-changes.ts';
import { refreshStatistics } from '../../store/statistics.ts';
import type { WorkerTaskQueue } from '../../worker-tasks/queue.ts';
import { type FollowUps, PENDING } from '../follow-ups.ts';
import type { Endings } from './endings.ts';

export interface MaintenanceDeps {
  readonly database: Database;
  readonly logger: WorkerLogger;
  readonly followUps: FollowUps;
  readonly endings: Endings;
  readonly workerTasks: Pick<WorkerTaskQueue, 'reclaim' | 'sweep'>;
}

export interface MaintenanceConfig {
  readonly kinds: readonly ClaimedExecution['kind'][];
  /** Number of workers that may die while they run an execution alone. The execution then fails. */
  readonly maxCrashes: number;
}

const KEYS_EVERY_MS = 5_000;
const STATISTICS_EVERY_MS = 2_000;
/** Each counted change leaves a dead row, which later queries must skip. */
const VACUUM_AFTER_CHANGES = 5_000;

/**
 * Returns the poll function of a worker. It finds missed notifications, due timers, expired leases, and follow-up work
 * of processes that died after a commit. If there is nothing to do, it runs one query.
 */
export function createMaintenance(
  { database, logger, followUps, endings, workerTasks }: MaintenanceDeps,
  engine: LeaseEngine<ClaimedExecution>,
  { kinds, maxCrashes }: MaintenanceConfig,
): () => Promise<void> {
  const { attempt, wakeUp } = engine;
  let keysAt = performance.now();
  let counted = 0;
  let statisticsAt = Number.NEGATIVE_INFINITY;

  async function count(): Promise<void> {
    counted += (await attempt(() => foldChanges(database, 'executions'))) ?? 0;
    counted += (await attempt(() => foldChanges(database, 'examples'))) ?? 0;
    counted += (await attempt(() => settleUsage(database))) ?? 0;
    if (counted < VACUUM_AFTER_CHANGES) return;
    counted = 0;
    await attempt(() => vacuumChanges(database));
  }

  /**
   * Refreshes table statistics. Called only while executions are pending or leased, because the tables of an idle
   * engine do not change.
   */
  async function refresh(): Promise<void> {
    if (performance.now() - statisticsAt < STATISTICS_EVERY_MS) return;
    statisticsAt = performance.now();
    try {
      await refreshStatistics(database);
    } catch (error) {
      logger.debug({ err: error }, 'cannot refresh the statistics of executions; autovacuum does it');
    }
  }

  async function wake(): Promise<void> {
    const woken = await attempt(() => wakeDue(database));
    if (woken === undefined || woken === 0) return;
    engine.claim();
    wakeUp(PENDING);
    engine.pollAt(Date.now() + 1); // more rows may be due
  }

  /**
   * Admits starts whose time has come. Starts that lost their follow-up in a crash have no due time; the poll of keys
   * finds them.
   */
  async function admitDue(nextMs: number): Promise<void> {
    if (nextMs > 0) return engine.pollAt(Date.now() + nextMs);
    for (const workflowId of (await attempt(() => workflowsWithDue(database))) ?? [])
      await followUps.admitStarts({ workflowId });
    engine.pollAt(Date.now() + 1); // the next start may be due soon
  }

  async function reclaim(): Promise<void> {
    const rules = { maxCrashes, unavailableMsAgo: engine.unavailableMsAgo() };
    const reclaimed = (await attempt(() => reclaimExpiredExecutions(database, rules))) ?? [];
    for (const { id, status, worker } of reclaimed)
      logger.warn({ execution: id, status, worker }, 'lease of an execution expired: its worker died');
    const failed = reclaimed.filter(({ status }) => status === 'failed');
    await endings.workersLost(failed);
    await endings.settleCancelled([]);
    engine.claim();
    if (reclaimed.length > failed.length) wakeUp(PENDING);
  }

  return async () => {
    const needed = await attempt(() => needsAttention(database, kinds));
    if (needed === undefined) return;
    engine.polled(needed.suspectLosses);
    if (needed.pending) engine.claim();
    if (needed.pending || needed.held) void refresh();
    if (needed.toCount) await count();
    if (needed.leaseEnded) await reclaim();
    if (needed.toCancel) await endings.settleCancelled([]);
    if (needed.toRoute) await followUps.route();
    if (needed.toSearch) await followUps.search();
    if (needed.toNotify) await followUps.notifyParents();
    if (needed.taskLeaseEnded) await attempt(() => workerTasks.reclaim());
    if (needed.nextWakeMs !== null) {
      if (needed.nextWakeMs <= 0) await wake();
      else engine.pollAt(Date.now() + needed.nextWakeMs);
    }
    if (needed.nextAdmissionMs !== null) await admitDue(needed.nextAdmissionMs);
    if (performance.now() - keysAt < KEYS_EVERY_MS) return;
    keysAt = performance.now();
    await endings.cancelOfClosedAccounts();
    for (const workflowId of (await attempt(() => pausedWorkflows(database))) ?? [])
      await attempt(() => holdQueued(database, workflowId));
    for (const workflowId of (await attempt(() => workflowsWithWaiting(database))) ?? [])
      await followUps.admitStarts({ workflowId });
    for (const key of (await attempt(() => freeKeys(database))) ?? []) await followUps.admit(key);
    await attempt(() => workerTasks.sweep());
  };
}
