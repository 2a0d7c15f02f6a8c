import { answersByLease } from '#api/leases/lease-set.ts';
import {
  type LeaseEngine,
  type LeaseWorker,
  type LeaseWorkerConfig,
  type LeaseWorkerDeps,
  startLeaseWorker,
} from '#api/leases/lease-worker.ts';
import type { LeasedWork } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import type { JobHandlers } from './port.ts';
import { runJob } from './run-job.ts';
import {
  type ClaimedJob,
  claimJobs,
  claimSuspectJob,
  endJobAlone,
  lossesOfNextSuspect,
  reclaimExpiredJobs,
  releaseJobs,
  renewLeases,
  retractJobLosses,
  schedulePeriodicJobs,
} from './tables/jobs.ts';

export interface JobWorkerDeps extends LeaseWorkerDeps {
  readonly handlers: JobHandlers;
}

export type JobWorker = LeaseWorker;

const DEFAULT_CONCURRENCY = 4;
const SCHEDULE_MS = 30_000;

/**
 * Runs jobs of the queues that have handlers, until it is stopped.
 *
 *     waiting ─claim─▶ running ─▶ done
 *        ▲               │  └───▶ failed      permanent, or no tries left
 *        └───────────────┘                    retry; lease expired; released
 */
export function createJobWorker(deps: JobWorkerDeps, config: LeaseWorkerConfig = {}): JobWorker {
  return startLeaseWorker<ClaimedJob>(deps, config, {
    name: 'jobs',
    createWork: (engine) => leasedJobs(deps, engine),
  });
}

function leasedJobs(
  { database, handlers, logger }: JobWorkerDeps,
  engine: LeaseEngine<ClaimedJob>,
): LeasedWork<ClaimedJob> {
  const { worker, leaseMs, attempt } = engine;
  const queues = Object.keys(handlers);
  const schedule = createSchedule(database, handlers);
  return {
    facts: ({ id, queue }) => ({ job: id, queue }),
    groupOf: ({ queue }) => queue,
    claim(countByQueue) {
      const free = freeSlots(handlers, countByQueue);
      if (free.size === 0) return undefined;
      return async () => ({ rows: await claimJobs(database, free, { worker, leaseMs }), more: false, empty: false });
    },
    claimSuspect: (alone) => claimSuspectJob(database, queues, { worker, leaseMs, alone }),
    endAlone: (claim) => endJobAlone(database, claim),
    renew: async (leases) => answersByLease(leases, await renewLeases(database, leases, leaseMs)),
    begin: () => async (lease) => {
      const settings = handlers[lease.row.queue];
      if (settings === undefined) return { written: false };
      const written = await runJob(lease, settings, { database, logger });
      if (settings.every !== undefined) schedule.expire();
      return { written };
    },
    async maintain() {
      await attempt(() => schedule.update());
      const suspect = await attempt(async () => ({ losses: await lossesOfNextSuspect(database, queues) }));
      if (suspect !== undefined) engine.polled(suspect.losses);
      const reclaimed = (await attempt(() => reclaimExpiredJobs(database, engine.unavailableMsAgo()))) ?? [];
      for (const { id, queue, state } of reclaimed)
        logger.warn({ job: id, queue, state }, 'lease of a job expired: its worker died');
      const ofOthers = reclaimed.filter(({ queue, state }) => state === 'waiting' && !queues.includes(queue));
      engine.wakeUp(...ofOthers.map(({ queue }) => queue));
      engine.claim();
    },
    onNotified(names) {
      if (names === undefined || names.some((queue) => queues.includes(queue))) engine.claim();
    },
    release: (leases) => releaseJobs(database, leases),
    retract: (leases) => retractJobLosses(database, leases),
  };
}

function freeSlots(handlers: JobHandlers, countByQueue: ReadonlyMap<string, number>): Map<string, number> {
  const slots = Object.entries(handlers).map(
    ([queue, { concurrency = DEFAULT_CONCURRENCY }]) => [queue, concurrency - (countByQueue.get(queue) ?? 0)] as const,
  );
  return new Map(slots.filter(([, free]) => free > 0));
}

/** Adds the next job of each periodic queue, every 30 s and after each periodic job. */
function createSchedule(database: Database, handlers: JobHandlers) {
  const periods = new Map(
    Object.entries(handlers).flatMap(([queue, { every }]) => (every === undefined ? [] : [[queue, every] as const])),
  );
  let updatedAt = Number.NEGATIVE_INFINITY;
  return {
    async update(): Promise<void> {
      if (periods.size === 0 || performance.now() - updatedAt <= SCHEDULE_MS) return;
      updatedAt = performance.now();
      await schedulePeriodicJobs(database, periods);
    },
    expire() {
      updatedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
