import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#api/postgres/database.ts';
import { createHeldJobs, type HeldJob } from './held-jobs.ts';
import { createIsolation, type IsolationGate } from './isolation.ts';
import { listenForWakeUps } from './listen.ts';
import type { JobHandlers, JobLogger } from './port.ts';
import { runJob } from './run-job.ts';
import {
  claimJobs,
  claimSuspectJob,
  endJobAlone,
  handBackJobs,
  handOnExpiredJobs,
  lossesOfNextSuspect,
  schedulePeriodicJobs,
} from './tables/jobs.ts';
import { watchUnavailability } from './unavailability.ts';
import { createWakeUp } from './wake-up.ts';

export interface JobWorkerDeps {
  readonly database: Database;
  readonly handlers: JobHandlers;
  readonly logger: JobLogger;
  /** Leads to PostgreSQL itself, to be woken over. Undefined: jobs are found by looking alone. */
  readonly listenUrl?: string | undefined;
  /** Shared with the other workers of the process. */
  readonly isolationGate?: IsolationGate;
}

export interface JobWorkerConfig {
  /** After how long without renewal another worker takes a job over. Default 8,000. */
  readonly leaseMs?: number;
  /** Default 2,000. */
  readonly renewMs?: number;
  /** How often to look for jobs when nobody wakes us, and for leases that ended. Default 1,000. */
  readonly pollMs?: number;
  /** How long `stop` waits for jobs under way. Default 5,000. */
  readonly finishMs?: number;
}

export interface JobWorker {
  /** Stops taking jobs, waits for those under way, aborts the others and hands them back. */
  stop(): Promise<void>;
}

const DEFAULT_CONCURRENCY = 4;
const SCHEDULE_MS = 30_000;

/**
 * Works on the queues it has handlers for, from now until it is stopped. Any number of workers share them: a job is one worker's by a lease, and
 * every write says by its epoch whose it is.
 *
 *     waiting ─claim─▶ running ─▶ done
 *        ▲               │  └───▶ failed      permanent, or no tries left
 *        └───────────────┘                    try again; lease ended; handed back
 *
 * Jobs whose worker died run one at a time: see `isolation.ts`.
 */
export function createJobWorker(
  { database, handlers, logger, listenUrl, isolationGate }: JobWorkerDeps,
  { leaseMs = 8_000, renewMs = 2_000, pollMs = 1_000, finishMs = 5_000 }: JobWorkerConfig = {},
): JobWorker {
  const name = `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`;
  const queues = new Set(Object.keys(handlers));
  const periods = new Map(
    Object.entries(handlers).flatMap(([queue, { every }]) => (every === undefined ? [] : [[queue, every] as const])),
  );
  const held = createHeldJobs({ database, logger }, { leaseMs });
  const wakeUp = createWakeUp({ database, logger });
  const running = new Set<Promise<void>>();
  const unavailability = watchUnavailability(leaseMs);
  const isolation = createIsolation(isolationGate, () => held.all().length + claims);
  /** Claims in flight. */
  let claims = 0;
  /** The suspect that runs alone. */
  let suspect: HeldJob | undefined;
  let stopping = false;
  let away = false;
  let scheduledAt = Number.NEGATIVE_INFINITY;

  // One claim at a time: what comes in meanwhile asks for one more.
  let claiming: Promise<void> | undefined;
  let claimAgain = false;
  function look(): void {
    claimAgain = true;
    if (stopping) return;
    claiming ??= claimAll().finally(() => {
      claiming = undefined;
      // Whoever asked after the last claim was sent, and before this.
      if (claimAgain && !away) look();
    });
  }

  async function claimAll(): Promise<void> {
    while (claimAgain && !stopping) {
      claimAgain = false;
      const next = isolation.next(held.all().length);
      if (next === 'nothing') return;
      if (next !== 'usual') {
        claimAgain = await startSuspect(next === 'alone');
        continue;
      }
      const places = freePlaces();
      if (places.size === 0) return;
      const asked = performance.now();
      claims += 1;
      const jobs = await attempt(() => claimJobs(database, places, name, leaseMs));
      for (const job of jobs ?? []) start(held.add(job, asked));
      claims -= 1;
    }
  }

  /** False when PostgreSQL could not be asked. */
  async function startSuspect(alone: boolean): Promise<boolean> {
    const asked = performance.now();
    const wish = { queues: [...queues], worker: name, leaseMs, alone };
    claims += 1;
    const claimed = await attempt(async () => [await claimSuspectJob(database, wish)]);
    const [job] = claimed ?? [];
    claims -= 1; // what follows runs in the same turn of the event loop
    if (job === undefined) {
      if (alone) isolation.end();
      isolation.observe(null);
      return claimed !== undefined;
    }
    const lease = held.add(job, asked);
    logger.info({ job: job.id, queue: job.queue, losses: job.losses, alone }, 'running a job whose worker died');
    if (alone) {
      suspect = lease;
      isolation.begin(job.losses, () => void survived(lease));
    } else isolation.joined();
    start(lease);
    return true;
  }

  /** Until this is written, a death of the worker is counted for this job alone. */
  async function survived(lease: HeldJob): Promise<void> {
    const write = async () => ({ written: await endJobAlone(database, lease) });
    while (suspect === lease && (await attempt(write)) === undefined) await pause(pollMs);
    leaveAlone(lease);
  }

  function leaveAlone(lease: HeldJob): void {
    if (suspect !== lease) return;
    suspect = undefined;
    isolation.end();
    look();
  }

  function freePlaces(): Map<string, number> {
    const places = new Map<string, number>();
    for (const [queue, { concurrency = DEFAULT_CONCURRENCY }] of Object.entries(handlers)) {
      const free = concurrency - held.countOf(queue);
      if (free > 0) places.set(queue, free);
    }
    return places;
  }

  function start(job: HeldJob): void {
    const settings = handlers[job.job.queue];
    if (settings === undefined) return;
    const run = runJob(job, settings, { database, logger }).then((outcome) => {
      running.delete(run);
      if (outcome === 'left' && stopping) return; // stays among those to hand back
      held.remove(job);
      leaveAlone(job);
      if (settings.every !== undefined) scheduledAt = Number.NEGATIVE_INFINITY;
      look();
    });
    running.add(run);
  }

  /** Once a second: what NOTIFY may have missed, what became due, and what dead workers left. */
  async function tend(): Promise<void> {
    if (stopping) return;
    if (periods.size > 0 && performance.now() - scheduledAt > SCHEDULE_MS) {
      scheduledAt = performance.now();
      await attempt(() => schedulePeriodicJobs(database, periods));
    }
    const losses = await attempt(async () => ({ next: await lossesOfNextSuspect(database, [...queues]) }));
    if (losses !== undefined) {
      unavailability.answered();
      isolation.observe(losses.next);
    }
    const handedOn = (await attempt(() => handOnExpiredJobs(database, unavailability.endedMsAgo()))) ?? [];
    for (const { id, queue, state } of handedOn)
      logger.warn({ job: id, queue, state }, 'the worker of a job went away; it was handed on');
    const others = handedOn.filter(({ queue, state }) => state === 'waiting' && !queues.has(queue));
    wakeUp(...others.map(({ queue }) => queue));
    look();
  }

  /** Undefined when the database could not be asked; that is told once, until it answers again. */
  async function attempt<T>(query: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await query();
      if (away) logger.info({}, 'jobs can be asked for again');
      away = false;
      return result;
    } catch (error) {
      if (!away) logger.error({ err: error }, 'jobs can not be asked for');
      away = true;
      return undefined;
    }
  }

  const listener =
    listenUrl === undefined
      ? undefined
      : listenForWakeUps(
          listenUrl,
          (woken) => {
            if (woken === undefined || woken.some((queue) => queues.has(queue))) look();
          },
          logger,
        );
  const renewal = setInterval(() => void held.renew(), renewMs);
  const poll = setInterval(() => void tend(), pollMs);
  void tend();

  return {
    async stop() {
      stopping = true;
      clearInterval(poll);
      await listener?.close();
      await claiming;
      isolation.end();
      await settledWithin(running, finishMs);
      for (const { abort } of held.all()) abort.abort(new DOMException('the worker stops', 'AbortError'));
      await Promise.all(running);
      clearInterval(renewal);
      const left = held.all();
      if (left.length === 0) return;
      const freed = (await attempt(() => handBackJobs(database, left))) ?? [];
      logger.info({ jobs: left.length }, 'jobs under way were handed back');
      wakeUp(...freed);
    },
  };
}

async function settledWithin(running: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([Promise.all(running), promise]);
  clearTimeout(timer);
}
