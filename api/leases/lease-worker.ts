import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Database } from '#api/postgres/database.ts';
import { type Attempt, createAttempt } from './attempt.ts';
import { watchBlockedThread } from './blocked-thread.ts';
import { createClaims } from './claims.ts';
import type { IsolationGate } from './isolation.ts';
import { createLeaseSet } from './lease-set.ts';
import { listenForWakeUps } from './listen.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { createPolling } from './polling.ts';
import type { ClaimedRow, Lease, LeasedWork, WorkEnd, WorkerLogger } from './port.ts';
import { watchUnavailability } from './unavailability.ts';
import { createWakeUp, type WakeUp } from './wake-up.ts';

export interface LeaseWorkerDeps {
  readonly database: Database;
  readonly logger: WorkerLogger;
  /** Direct connection URI of PostgreSQL; see `listen.ts` for the reason. If undefined, the worker only polls. */
  readonly listenUrl?: string | undefined;
  /** Shared with the other workers of the process. */
  readonly isolationGate?: IsolationGate | undefined;
}

export interface LeaseWorkerConfig {
  /** How long a lease is valid without renewal, in ms. Afterwards another worker may claim the row. Default 8,000. */
  readonly leaseMs?: number;
  /** Renewal interval in ms. Default 2,000. */
  readonly renewMs?: number;
  /** Poll interval in ms, to find missed notifications, due rows and expired leases. Default 1,000. */
  readonly pollMs?: number;
  /** How long `stop` waits for work in progress, in ms. Default 5,000. */
  readonly finishMs?: number;
}

/** The functions of the engine for its clients. */
export interface LeaseEngine<R extends ClaimedRow> {
  /** Name of this worker in the rows that it claims. */
  readonly worker: string;
  readonly leaseMs: number;
  /** Runs a query. Resolves to undefined if it fails. */
  readonly attempt: Attempt;
  readonly wakeUp: WakeUp;
  /** Returns the lease of this worker on a row. */
  leaseOf(id: R['id']): Lease<R> | undefined;
  /** Claims due rows. */
  claim(): void;
  renew(): void;
  /** Calls `maintain` at this time, in ms since the epoch. */
  pollAt(time: number): void;
  /** Call with the result of each poll: losses of the next suspect, or null. */
  polled(suspectLosses: number | null): void;
  /** Leases that expired longer ago than this, in ms, do not count as deaths: see `unavailability.ts`. */
  unavailableMsAgo(): number | null;
}

export interface LeaseWorker {
  /** Number of leases. */
  held(): number;
  /** Ends claiming, waits for work in progress, aborts the rest and releases its leases. */
  stop(): Promise<void>;
}

/**
 * Leases rows of a table and works on them until it is stopped. Any number of workers share a table. A row belongs to
 * one worker until its lease expires, and each write includes the epoch of its claim.
 *
 *     due ──claim──▶ leased ──outcome written──▶ as the client decides
 *      ▲               │
 *      └───────────────┘   released by a worker that stops, or lease expired: the row is a suspect
 *
 * If a live worker finds that its leases have expired, it reverts their losses, unless its own work has blocked its
 * thread. It then claims nothing for one renewal interval, so other workers can take over the rows.
 *
 * `createWork` receives the engine, but must not call it before it has returned.
 */
export function startLeaseWorker<R extends ClaimedRow>(
  { database, logger, listenUrl, isolationGate }: LeaseWorkerDeps,
  { leaseMs = 8_000, renewMs = 2_000, pollMs = 1_000, finishMs = 5_000 }: LeaseWorkerConfig,
  { name, createWork }: { readonly name: string; readonly createWork: (engine: LeaseEngine<R>) => LeasedWork<R> },
): LeaseWorker {
  const running = new Set<Promise<void>>();
  const attempt = createAttempt(logger, name);
  const wakeUp = createWakeUp({ database, logger });
  const unavailability = watchUnavailability(leaseMs);
  const work = createWork({
    worker: `${hostname()}:${process.pid}:${randomBytes(3).toString('hex')}`,
    leaseMs,
    attempt,
    wakeUp,
    leaseOf: (id) => held.get(id),
    claim: () => claims.claim(),
    renew: () => renew(),
    pollAt: (time) => polling.at(time),
    polled(suspectLosses) {
      unavailability.answered();
      claims.observeSuspect(suspectLosses);
    },
    unavailableMsAgo: () => unavailability.endedMsAgo(),
  });
  const thread = watchBlockedThread(renewMs);
  const lost: Lease<R>[] = [];
  const onLost = (lease: Lease<R>) => {
    if (!thread.isBlockedByWork()) lost.push(lease);
    if (lease.leaseEnds < performance.now()) claims.pause(renewMs); // it was too slow to renew: let other workers claim the row first
  };
  const held = createLeaseSet<R>({ name, work, logger, onLost }, { leaseMs });
  const claims = createClaims<R>({ name, work, held, attempt, logger, isolationGate, onClaimed: begin }, { pollMs });
  const polling = createPolling(() => work.maintain(), { pollMs });
  const renewHeld = oneAtATime(() => held.renew());

  function renew(): void {
    held.loseExpired(); // needed even while a renewal waits for PostgreSQL
    void renewHeld();
    void retractLost();
  }

  const retractLost = oneAtATime(async () => {
    if (lost.length === 0) return;
    const leases = lost.splice(0);
    const names = await attempt(async () => {
      // Leases that are released before any worker finds them expired never count as losses.
      const released = await work.release(leases);
      await work.retract(leases);
      return released;
    });
    if (names === undefined) return void lost.unshift(...leases);
    logger.info({ work: name, leases: leases.length }, 'expired leases do not count: the worker is alive');
    wakeUp(...names);
  });

  function begin(leases: readonly Lease<R>[]): void {
    const workOn = work.begin(leases);
    for (const lease of leases) {
      const run = workOn(lease)
        .then((end) => finish(lease, end))
        .finally(() => void running.delete(run));
      running.add(run);
    }
  }

  async function finish(lease: Lease<R>, { written, due = false, after }: WorkEnd): Promise<void> {
    if (!written && isStopped(lease.abort.signal)) return; // `stop` releases it
    held.remove(lease);
    claims.endAlone(lease);
    await after?.();
    claims.freed(due);
  }

  const listener = listenUrl === undefined ? undefined : listenForWakeUps(listenUrl, work.onNotified, logger);
  const renewal = setInterval(() => {
    renew();
    thread.tick();
  }, renewMs);
  polling.start();

  return {
    held: () => held.all().length,
    async stop() {
      polling.stop();
      await listener?.close();
      await claims.stop();
      await settledWithin(running, finishMs);
      for (const { abort } of held.all()) abort.abort(new DOMException('the worker stops', 'AbortError'));
      await Promise.all(running);
      await work.idle?.();
      clearInterval(renewal);
      const left = held.all();
      for (const lease of left) held.remove(lease);
      if (left.length === 0) return;
      const names = (await attempt(() => work.release(left))) ?? [];
      logger.info({ work: name, leases: left.length }, 'leases released');
      wakeUp(...names);
    },
  };
}

/** True for work that was aborted because its worker stops. */
export function isStopped({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'AbortError';
}

async function settledWithin(running: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([Promise.all(running), promise]);
  clearTimeout(timer);
}
