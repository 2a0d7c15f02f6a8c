import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '#api/postgres/database.ts';
import { completeUpTo, MAX_AGE_MS, type Sample, walPosition } from './freshness.ts';

const EVERY_MS = 1_000;

/** A standby for reading lists. */
export interface Replica {
  readonly database: Database;
  /**
   * Returns the time by `now` up to which it has all changes; undefined if unknown, for example while it is
   * unavailable.
   */
  completeUpTo(): number | undefined;
  stop(): Promise<void>;
}

export interface ReplicaDeps {
  readonly primary: Database;
  readonly replica: Database;
  readonly logger: { warn(fields: object, message: string): void; info(fields: object, message: string): void };
  /** Monotonic clock, in ms. */
  readonly now: () => number;
}

/**
 * Compares a replica with the primary once per second until it is stopped. Logs when it becomes unavailable or
 * available.
 */
export function watchReplica({ primary, replica, logger, now }: ReplicaDeps): Replica {
  const stopped = new AbortController();
  let samples: readonly Sample[] = [];
  let complete: number | undefined;
  let available: boolean | undefined;

  async function compare(): Promise<void> {
    const at = now();
    const { rows } = await sql<{ position: string }>`SELECT pg_current_wal_insert_lsn()::text AS position`.execute(
      primary,
    );
    samples = [...samples, { at, position: walPosition(rows[0]?.position ?? '0/0') }];
    // A promoted standby has a separate history.
    const { rows: replayed } = await sql<{ position: string | null }>`
      SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn()::text END AS position`.execute(replica);
    const position = replayed[0]?.position;
    if (position == null) throw new Error('the server is not a standby');
    complete = completeUpTo(samples, walPosition(position));
    const oldest = Math.max(complete ?? 0, now() - 2 * MAX_AGE_MS);
    samples = samples.filter((sample) => sample.at >= oldest);
  }

  async function watch(): Promise<void> {
    while (!stopped.signal.aborted) {
      const failure = await compare().then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      if (failure !== undefined) complete = undefined;
      if (failure !== undefined && available !== false)
        logger.warn({ err: failure.error }, 'PostgreSQL replica is unavailable, reading lists from the primary');
      if (failure === undefined && available === false) logger.info({}, 'PostgreSQL replica is available again');
      available = failure === undefined;
      await delay(EVERY_MS, undefined, { signal: stopped.signal }).catch(() => {}); // aborted: the loop ends
    }
  }

  const watching = watch();
  return {
    database: replica,
    completeUpTo: () => complete,
    async stop() {
      stopped.abort();
      await watching;
    },
  };
}
