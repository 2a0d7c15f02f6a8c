import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerLogger } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import { advanceExecutions, type Written } from '../../store/advance.ts';
import type { ExecutionWrite } from '../../store/execution-write.ts';
import { engineError } from '../contract/task-failure.ts';
import type { ExecutionLease } from '../worker/leased-executions.ts';
import { failedWrite } from './change.ts';

/** A source of changes. It is read as late as possible, so the write includes the latest changes. */
export interface WriteSource {
  readonly lease: ExecutionLease;
  /** Returns all changes since the last call. Rejects if the payload store is unavailable. */
  take(): Promise<ExecutionWrite>;
}

/** A requested write, and the promise of its caller. */
export interface WriteEntry {
  readonly source: WriteSource;
  readonly done: PromiseWithResolvers<Written | undefined>;
}

export interface TakenWrite {
  readonly entry: WriteEntry;
  readonly write: ExecutionWrite;
}

export type OnWritten = (written: readonly { write: ExecutionWrite; at: Written }[]) => void;

const AWAY_PAUSE_MS = 250;

/**
 * Returns a function that writes changes in one statement and settles their entries. While PostgreSQL is unavailable,
 * it retries until the leases expire. A write that PostgreSQL rejects fails only its execution.
 */
export function createBatchWrite({
  database,
  logger,
  onWritten,
}: {
  readonly database: Database;
  readonly logger: WorkerLogger;
  readonly onWritten: OnWritten;
}): (writes: readonly TakenWrite[]) => Promise<void> {
  async function writeBatch(writes: readonly TakenWrite[]): Promise<void> {
    if (writes.length === 0) return;
    try {
      const written = await advanceExecutions(
        database,
        writes.map(({ write }) => write),
      );
      settle(writes, written);
    } catch (error) {
      if (isDatabaseUnavailable(error)) return retry(writes, error);
      if (writes.length === 1) return refuse(writes[0] as (typeof writes)[number], error);
      // PostgreSQL rejected one write of the batch: write them individually.
      for (const one of writes) await writeOne(one);
    }
  }

  async function writeOne(one: TakenWrite): Promise<void> {
    try {
      settle([one], await advanceExecutions(database, [one.write]));
    } catch (error) {
      if (isDatabaseUnavailable(error)) return retry([one], error);
      return refuse(one, error);
    }
  }

  /** Fails the execution of a write that PostgreSQL rejects permanently. */
  async function refuse(one: TakenWrite, error: unknown): Promise<void> {
    const { lease } = one.entry.source;
    logger.error(
      { execution: lease.id, err: error },
      'PostgreSQL refused the state of an execution; the execution fails',
    );
    const code = String((error as { code?: unknown }).code ?? 'unknown');
    const write = failedWrite(
      lease,
      engineError('Not storable', `the database rejected the output of a step (${code})`),
    );
    try {
      settle([{ ...one, write }], await advanceExecutions(database, [write]));
    } catch (failed) {
      one.entry.done.reject(failed);
    }
  }

  /** Retries while PostgreSQL is unavailable. This worker may write the changes until its leases expire. */
  async function retry(writes: readonly TakenWrite[], error: unknown): Promise<void> {
    await pause(AWAY_PAUSE_MS);
    const now = performance.now();
    const left = writes.filter(({ entry }) => entry.source.lease.leaseEnds > now);
    for (const { entry } of writes) if (entry.source.lease.leaseEnds <= now) entry.done.reject(error);
    if (left.length === 0) return;
    try {
      settle(
        left,
        await advanceExecutions(
          database,
          left.map(({ write }) => write),
        ),
      );
    } catch (failed) {
      if (isDatabaseUnavailable(failed)) return retry(left, failed);
      for (const one of left) await writeOne(one);
    }
  }

  function settle(writes: readonly TakenWrite[], written: readonly Written[]): void {
    const byId = new Map(written.map((one) => [one.id, one]));
    const kept = writes.flatMap(({ write }) => {
      const at = byId.get(write.id);
      return at === undefined ? [] : [{ write, at }];
    });
    onWritten(kept);
    for (const { entry, write } of writes) entry.done.resolve(byId.get(write.id));
  }

  return writeBatch;
}
