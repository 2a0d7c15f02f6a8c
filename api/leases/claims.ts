import { setTimeout as delay } from 'node:timers/promises';
import type { Attempt } from './attempt.ts';
import { createIsolation, type IsolationGate } from './isolation.ts';
import type { LeaseSet } from './lease-set.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { ClaimedRow, Lease, LeasedWork, WorkerLogger } from './port.ts';

/** Claims work for one worker, one claim at a time. A suspect is claimed by the rules of `isolation.ts`. */
export interface Claims<R extends ClaimedRow> {
  /** Claims until no slot is free or nothing is due. A call during a claim causes one more claim. */
  claim(): void;
  /** Reports the losses of the next suspect, as found by a poll; null if there is no suspect. */
  observeSuspect(losses: number | null): void;
  /** Reports that a lease has ended. It matters only for the suspect that ran alone. */
  endAlone(lease: Lease<R>): void;
  /** Reports that a slot became free. `due`: the row that used it is due again. */
  freed(due: boolean): void;
  /** Claims nothing for this time in ms, and then claims again. */
  pause(ms: number): void;
  /** Ends claiming. Resolves when no claim is in flight. */
  stop(): Promise<void>;
}

export interface ClaimsDeps<R extends ClaimedRow> {
  readonly name: string;
  readonly work: Pick<LeasedWork<R>, 'facts' | 'claim' | 'claimSuspect' | 'endAlone'>;
  readonly held: LeaseSet<R>;
  readonly attempt: Attempt;
  readonly logger: WorkerLogger;
  readonly isolationGate: IsolationGate | undefined;
  /** Begins the work on rows of one claim. */
  readonly onClaimed: (leases: readonly Lease<R>[]) => void;
}

export function createClaims<R extends ClaimedRow>(
  { name, work, held, attempt, logger, isolationGate, onClaimed }: ClaimsDeps<R>,
  { pollMs }: { readonly pollMs: number },
): Claims<R> {
  let inFlight = 0;
  let stopped = false;
  /** True if the last claim found nothing left. */
  let empty = false;
  /** True if a claim is scheduled in this iteration of the event loop. */
  let freed = false;
  /** The suspect that runs alone. */
  let suspect: Lease<R> | undefined;
  const isolation = createIsolation(isolationGate, () => held.all().length + inFlight);

  const claimAll = oneAtATime(async () => {
    while (!stopped && (await claimNext()));
  });
  const claim = () => {
    if (!stopped) void claimAll();
  };
  const pause = createPause(claim);

  /** Resolves to true if there may be more to claim. */
  async function claimNext(): Promise<boolean> {
    if (pause.isOn()) return false;
    const next = isolation.next(held.all().length);
    if (next === 'nothing') return false;
    if (next !== 'usual') return claimSuspect(next === 'alone');
    const query = work.claim(held.countByGroup());
    if (query === undefined) return false;
    const asked = performance.now();
    inFlight += 1;
    const answer = await attempt(query);
    const leases = (answer?.rows ?? []).map((row) => held.add(row, asked));
    inFlight -= 1;
    empty = answer?.empty ?? false;
    if (leases.length > 0) onClaimed(leases);
    return answer?.more ?? false;
  }

  /** Resolves to false if the query failed. */
  async function claimSuspect(alone: boolean): Promise<boolean> {
    const asked = performance.now();
    inFlight += 1;
    const claimed = await attempt(async () => ({ row: await work.claimSuspect(alone) }));
    inFlight -= 1; // the lease is added before any other code runs
    if (claimed?.row === undefined) {
      if (alone) isolation.end();
      isolation.observe(null);
      return claimed !== undefined;
    }
    const lease = held.add(claimed.row, asked);
    const { losses } = claimed.row;
    logger.info({ ...work.facts(claimed.row), work: name, losses, alone }, 'suspect claimed: its worker died');
    if (alone) {
      suspect = lease;
      lease.alone = true;
      isolation.begin(losses, () => void survived(lease));
    } else isolation.joined();
    onClaimed([lease]);
    return true;
  }

  /** Ends the exclusive run of a survivor. Until this is written, a death of the worker counts for it. */
  async function survived(lease: Lease<R>): Promise<void> {
    const write = async () => ({ written: await work.endAlone(lease) });
    while (!stopped && suspect === lease && (await attempt(write)) === undefined) await delay(pollMs);
    endAlone(lease);
  }

  function endAlone(lease: Lease<R>): void {
    if (suspect !== lease) return;
    suspect = undefined;
    lease.alone = false;
    isolation.end();
    claim();
  }

  return {
    claim,
    observeSuspect: isolation.observe,
    endAlone,
    freed(due) {
      if (freed || (empty && !due)) return;
      freed = true;
      // Outcomes written in one statement end together. One claim uses all of their slots.
      setImmediate(() => {
        freed = false;
        claim();
      });
    },
    pause: (ms) => void (stopped || pause.begin(ms)),
    async stop() {
      stopped = true;
      pause.end();
      await claimAll();
      isolation.end();
    },
  };
}

/** Creates a period without claims. `onEnd` is called when it has passed, but not if `end` ends it early. */
function createPause(onEnd: () => void) {
  let timer: NodeJS.Timeout | undefined;
  return {
    isOn: () => timer !== undefined,
    begin(ms: number) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        timer = undefined;
        onEnd();
      }, ms);
    },
    end() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
