import { oneAtATime } from '#api/leases/one-at-a-time.ts';
import type { WorkerLogger } from '#api/leases/port.ts';
import type { WakeUp } from '#api/leases/wake-up.ts';
import type { Database } from '#api/postgres/database.ts';
import { admitNext } from '../store/keys.ts';
import { notifyParents, routeEvents, type Signalled, searchEvents } from '../store/signals.ts';

/** Named to workers: there are pending executions. */
export const PENDING = 'executions';
/** NOTIFY payload prefix: the worker that holds this execution has to poll it. */
export const LOOK_AT = 'executions:';
/** Named with an id: it has ended. */
export const ENDED = 'executions.ended:';

/**
 * What follows from a write that was committed. Each is one statement that finds by itself what there is to do, so that it may be done twice, by
 * any caller, or a second later, when the process that should have died before. None of them rejects.
 */
export interface FollowUps {
  /** Events to the waits there are. */
  route(): Promise<void>;
  /** New waits to the events there are. */
  search(): Promise<void>;
  /** Outcomes of children to their parents. */
  notifyParents(): Promise<void>;
  /** The next one of a concurrency key. */
  admit(key: string): Promise<void>;
}

export function createFollowUps({
  database,
  logger,
  wakeUp,
}: {
  readonly database: Database;
  readonly logger: WorkerLogger;
  readonly wakeUp: WakeUp;
}): FollowUps {
  const signalling = (name: string, work: (db: Database) => Promise<Signalled[]>) =>
    oneAtATime(() =>
      attempt(name, async () => {
        const signalled = await work(database);
        if (signalled.length === 0) return;
        wakeUp(...signalled.map(({ id, held }) => (held ? `${LOOK_AT}${id}` : PENDING)));
      }),
    );

  async function attempt(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      logger.warn({ err: error, what: name }, 'what follows from a change of executions is done later');
    }
  }

  return {
    route: signalling('route events', routeEvents),
    search: signalling('search events', searchEvents),
    notifyParents: signalling('notify parents', notifyParents),
    admit: (key) =>
      attempt('admit by key', async () => {
        if (await admitNext(database, key)) wakeUp(PENDING);
      }),
  };
}
