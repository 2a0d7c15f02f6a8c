import { oneAtATime } from '#api/leases/one-at-a-time.ts';
import type { WorkerLogger } from '#api/leases/port.ts';
import type { WakeUp } from '#api/leases/wake-up.ts';
import type { Database } from '#api/postgres/database.ts';
import { createAdmissionLoop } from '../limits/admission-loop.ts';
import { type AdmissionTarget, targetOf } from '../limits/admissions.ts';
import { createVersionLimits, type VersionLimits } from '../limits/start-limits.ts';
import { admitNext } from '../store/keys.ts';
import { notifyParents, routeEvents, type Signalled, searchEvents } from '../store/signals.ts';

/** NOTIFY payload: executions are pending. */
export const PENDING = 'executions';
/** NOTIFY payload prefix: the worker that leases this execution must renew immediately, to find its signals. */
export const SIGNALLED = 'executions:';
/** NOTIFY payload prefix: the execution has finished. */
export const ENDED = 'executions.ended:';

/** NOTIFY payload prefix: the execution has replied to an event. */
export const REPLIED = 'executions.replied:';

/**
 * Work after a committed write. Each function is one idempotent statement that finds its own rows, so any worker can
 * run it. If a process dies after its commit, the next poll of another worker does the work. None of these functions
 * rejects.
 */
export interface FollowUps {
  /** Delivers new events to open waits. */
  route(): Promise<void>;
  /** Matches stored events against new waits. */
  search(): Promise<void>;
  /** Delivers the outcomes of children to their parents. */
  notifyParents(): Promise<void>;
  /** Admits the next execution of a concurrency key. */
  admit(key: string): Promise<void>;
  /** Admits waiting starts of a workflow within its limits. */
  admitStarts(target: AdmissionTarget): Promise<void>;
  /** Admits the executions that waited for the concurrency keys and slots of ended executions. */
  admitNext(ended: readonly EndedExecution[]): Promise<void>;
}

/** The resources that an ended execution releases. */
export interface EndedExecution {
  readonly id: string;
  readonly concurrencyKey: string | null;
  /** True if it may have held a slot of its workflow. */
  readonly limited: boolean;
}

export function createFollowUps({
  database,
  logger,
  wakeUp,
  versionLimits = createVersionLimits(),
}: {
  readonly database: Database;
  readonly logger: WorkerLogger;
  readonly wakeUp: WakeUp;
  readonly versionLimits?: VersionLimits | undefined;
}): FollowUps {
  const signalling = (name: string, work: (db: Database) => Promise<Signalled[]>) =>
    oneAtATime(() =>
      attempt(name, async () => {
        const signalled = await work(database);
        if (signalled.length === 0) return;
        wakeUp(...signalled.map(({ id, held }) => (held ? `${SIGNALLED}${id}` : PENDING)));
      }),
    );

  async function attempt(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      logger.warn({ err: error, what: name }, 'follow-up of an execution failed; the next poll repeats it');
    }
  }

  const admit = (key: string) =>
    attempt('admit by key', async () => {
      if (await admitNext(database, key)) wakeUp(PENDING);
    });
  const admitStarts = createAdmissionLoop({
    database,
    versionLimits,
    attempt,
    onAdmitted: () => wakeUp(PENDING),
    admitKey: admit,
  });

  async function admitAfter(executionId: string): Promise<void> {
    const target = await targetOf(database, executionId);
    if (target !== undefined) await admitStarts(target);
  }

  return {
    route: signalling('route events', routeEvents),
    search: signalling('search events', searchEvents),
    notifyParents: signalling('notify parents', notifyParents),
    admit,
    admitStarts,
    async admitNext(ended) {
      for (const { id, concurrencyKey, limited } of ended) {
        if (concurrencyKey !== null) await admit(concurrencyKey);
        if (limited) await attempt('admit after an end', () => admitAfter(id));
      }
    },
  };
}
