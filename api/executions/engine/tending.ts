import { settleUsage } from '#api/accounts/tables/quotas.ts';
import type { Database } from '#api/postgres/database.ts';
import { oneAtATime } from '../../jobs/one-at-a-time.ts';
import type { JobLogger } from '../../jobs/port.ts';
import { watchUnavailability } from '../../jobs/unavailability.ts';
import type { WakeUp } from '../../jobs/wake-up.ts';
import { needsAttention, wakeDue } from '../store/attention.ts';
import { closeEnded, settleCancelled } from '../store/cancel.ts';
import type { ClaimedExecution } from '../store/claim.ts';
import { freeKeys } from '../store/keys.ts';
import { handOnExecutions } from '../store/leases.ts';
import { foldChanges, vacuumChanges } from '../store/noted-changes.ts';
import { refreshStatistics } from '../store/statistics.ts';
import { ENDED, type FollowUps, PENDING } from './follow-ups.ts';

export interface Tending {
  start(): void;
  stop(): void;
  /** An execution waits until then, ms of the epoch: the worker that parked it polls at that time, and not up to a second later. */
  expect(times: readonly number[]): void;
}

const KEYS_EVERY_MS = 5_000;
const STATISTICS_EVERY_MS = 2_000;
/** Asking whether there are more takes longer with each that was. */
const VACUUM_AFTER_CHANGES = 5_000;
const MAX_MS = 60_000;

/**
 * Once a second: what NOTIFY may have missed, what became due, what dead workers left, and what processes that died between a commit and what follows
 * from it did not do. One question when there is nothing.
 * Long: its functions share the state of one loop.
 */
export function createTending(
  {
    database,
    logger,
    worker,
    wakeUp,
    followUps,
    attempt,
    look,
    kinds,
    onSuspects,
  }: {
    readonly database: Database;
    readonly logger: JobLogger;
    readonly worker: string;
    readonly wakeUp: WakeUp;
    readonly followUps: FollowUps;
    readonly attempt: <T>(query: () => Promise<T>) => Promise<T | undefined>;
    readonly look: () => void;
    readonly kinds: readonly ClaimedExecution['kind'][];
    /** Called with every poll; see `Attention`. */
    readonly onSuspects: (losses: number | null) => void;
  },
  { pollMs, leaseMs, maxCrashes }: { readonly pollMs: number; readonly leaseMs: number; readonly maxCrashes: number },
): Tending {
  const unavailability = watchUnavailability(leaseMs);
  let stopped = false;
  let poll: NodeJS.Timeout | undefined;
  let alarm: NodeJS.Timeout | undefined;
  let alarmAt = Number.POSITIVE_INFINITY;
  let keysAt = performance.now();
  let addedUp = 0;
  let statisticsAt = Number.NEGATIVE_INFINITY;

  const tend = oneAtATime(async () => {
    if (stopped) return;
    const needed = await attempt(() => needsAttention(database, kinds));
    if (needed === undefined || stopped) return;
    unavailability.answered();
    onSuspects(needed.suspectLosses);
    if (needed.pending) look();
    if (needed.pending || needed.held) void refresh();
    if (needed.toCount) await count();
    if (needed.leaseEnded) await handOn();
    if (needed.toCancel) await settle();
    if (needed.toRoute) await followUps.route();
    if (needed.toSearch) await followUps.search();
    if (needed.toNotify) await followUps.notifyParents();
    if (needed.nextWakeMs !== null) {
      if (needed.nextWakeMs <= 0) await wake();
      else setAlarm(Date.now() + needed.nextWakeMs);
    }
    if (performance.now() - keysAt < KEYS_EVERY_MS) return;
    keysAt = performance.now();
    for (const key of (await attempt(() => freeKeys(database))) ?? []) await followUps.admit(key);
  });

  async function count(): Promise<void> {
    addedUp += (await attempt(() => foldChanges(database, 'executions'))) ?? 0;
    addedUp += (await attempt(() => foldChanges(database, 'examples'))) ?? 0;
    addedUp += (await attempt(() => settleUsage(database))) ?? 0;
    if (addedUp < VACUUM_AFTER_CHANGES) return;
    addedUp = 0;
    await attempt(() => vacuumChanges(database));
  }

  /** While something goes on: an idle engine's tables don't change. */
  async function refresh(): Promise<void> {
    if (performance.now() - statisticsAt < STATISTICS_EVERY_MS) return;
    statisticsAt = performance.now();
    try {
      await refreshStatistics(database);
    } catch (error) {
      logger.debug({ err: error }, 'statistics of executions are left to the server');
    }
  }

  async function wake(): Promise<void> {
    const woken = await attempt(() => wakeDue(database));
    if (woken === undefined || woken === 0) return;
    look();
    wakeUp(PENDING);
    // There may be more of them.
    setAlarm(Date.now() + 1);
  }

  async function handOn(): Promise<void> {
    const handedOn =
      (await attempt(() =>
        handOnExecutions(database, { maxCrashes, unavailableMsAgo: unavailability.endedMsAgo() }),
      )) ?? [];
    for (const { id, status, worker: lost } of handedOn)
      logger.warn({ execution: id, status, worker: lost }, 'the worker of an execution went away; it was handed on');
    const failed = handedOn.filter(({ status }) => status === 'failed');
    if (failed.length > 0) {
      const ids = failed.map(({ id }) => id);
      await attempt(() => closeEnded(database, ids));
      wakeUp(...ids.map((id) => `${ENDED}${id}`));
      await followUps.notifyParents();
      for (const { concurrencyKey } of failed) if (concurrencyKey !== null) await followUps.admit(concurrencyKey);
    }
    await settle();
    look();
    if (handedOn.length > failed.length) wakeUp(PENDING);
  }

  async function settle(): Promise<void> {
    const settled = (await attempt(() => settleCancelled(database, { worker, ids: [] }))) ?? [];
    if (settled.length === 0) return;
    wakeUp(...settled.map(({ id }) => `${ENDED}${id}`));
    await followUps.notifyParents();
    for (const { concurrencyKey } of settled) if (concurrencyKey !== null) await followUps.admit(concurrencyKey);
  }

  function setAlarm(at: number): void {
    if (stopped || at >= alarmAt || at > Date.now() + MAX_MS) return;
    clearTimeout(alarm);
    alarmAt = at;
    alarm = setTimeout(
      () => {
        alarmAt = Number.POSITIVE_INFINITY;
        void tend();
      },
      Math.max(1, at - Date.now()),
    );
  }

  return {
    start() {
      poll = setInterval(() => void tend(), pollMs);
      void tend();
    },
    stop() {
      stopped = true;
      clearInterval(poll);
      clearTimeout(alarm);
    },
    expect(times) {
      for (const at of times) setAlarm(at + 2);
    },
  };
}
