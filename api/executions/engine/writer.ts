import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerLogger } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import { isDatabaseAway } from '#api/postgres/failure.ts';
import { advanceExecutions, type ExecutionWrite, type Written } from '../store/advance.ts';
import { failedWrite } from './change.ts';
import type { ExecutionLease } from './leased-executions.ts';
import { engineError } from './task-failure.ts';

/** A source of changes: read at the last moment, so that the latest changes are included. */
export interface WriteSource {
  readonly lease: ExecutionLease;
  /** Everything since the last one. Rejects when the payload store is unavailable. */
  take(): Promise<ExecutionWrite>;
}

export interface Writer {
  /**
   * Writes the changes of the source. Resolves when they are written, to undefined when the lease is lost. Rejects when they cannot be written; then the
   * lease expires.
   */
  write(source: WriteSource): Promise<Written | undefined>;
  /** Writes with the next batch, or after a short delay. No caller waits for these changes. */
  writeSoon(source: WriteSource): void;
  /** Resolves when nothing is left to write. */
  idle(): Promise<void>;
}

const SOON_MS = 40;
const AT_ONCE = 100;
const AWAY_PAUSE_MS = 250;
const RENDERED_AT_ONCE = 4;
const MAX_WRITE_BYTES = 8 * 1024 * 1024;

interface Entry {
  readonly source: WriteSource;
  readonly done: PromiseWithResolvers<Written | undefined>;
}

/** Length of the JSON in a write. Files are already written. */
function bytesOf({ state, result, steps, waits, events }: ExecutionWrite): number {
  let bytes = (state?.length ?? 0) + (result?.length ?? 0);
  for (const { input, output } of steps) bytes += (input?.length ?? 0) + (output?.length ?? 0);
  for (const { filters } of waits) bytes += filters.length;
  for (const { event } of events) bytes += event.length;
  return bytes;
}

/** Writes the changes of all executions of a worker, many in one statement and one statement at a time. */
export function createWriter(
  { database, logger }: { readonly database: Database; readonly logger: WorkerLogger },
  { onWritten }: { readonly onWritten: (written: readonly { write: ExecutionWrite; at: Written }[]) => void },
): Writer {
  const wanted = new Map<WriteSource, Entry>();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function entryOf(source: WriteSource): Entry {
    let entry = wanted.get(source);
    if (entry === undefined) {
      entry = { source, done: Promise.withResolvers() };
      entry.done.promise.catch(() => {}); // the caller of `write` receives the rejection
      wanted.set(source, entry);
    }
    return entry;
  }

  function begin(): void {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeAll().finally(() => {
      writing = undefined;
      if (wanted.size > 0) begin();
    });
  }

  async function writeAll(): Promise<void> {
    // Writes of the same turn of the event loop join the batch.
    await new Promise(setImmediate);
    while (wanted.size > 0) {
      const entries = nextFew();
      for (const { source } of entries) wanted.delete(source);
      await writeEach(entries);
    }
  }

  /**
   * Takes one entry per execution. An execution that this worker lost and claimed again may have two: in one statement, the write of the lost run would
   * appear to succeed with the other.
   */
  function nextFew(): Entry[] {
    const few = new Map<string, Entry>();
    for (const entry of wanted.values()) {
      const { id } = entry.source.lease;
      if (!few.has(id)) few.set(id, entry);
      if (few.size === AT_ONCE) break;
    }
    return [...few.values()];
  }

  async function writeEach(entries: readonly Entry[]): Promise<void> {
    for (let next = 0; next < entries.length; ) {
      const writes: { entry: Entry; write: ExecutionWrite }[] = [];
      // Limits the size of a batch: rendered writes stay in memory until they are written.
      for (let bytes = 0; next < entries.length && bytes < MAX_WRITE_BYTES; next += RENDERED_AT_ONCE) {
        const taken = await Promise.all(entries.slice(next, next + RENDERED_AT_ONCE).map(take));
        writes.push(...taken.flat());
        for (const { write } of taken.flat()) bytes += bytesOf(write);
      }
      await writeTogether(writes);
    }
  }

  async function take(entry: Entry): Promise<{ entry: Entry; write: ExecutionWrite }[]> {
    try {
      return [{ entry, write: await entry.source.take() }];
    } catch (error) {
      entry.done.reject(error);
      return [];
    }
  }

  async function writeTogether(writes: readonly { entry: Entry; write: ExecutionWrite }[]): Promise<void> {
    if (writes.length === 0) return;
    try {
      const written = await keep(writes.map(({ write }) => write));
      settle(writes, written);
    } catch (error) {
      if (isDatabaseAway(error)) return again(writes, error);
      if (writes.length === 1) return refuse(writes[0] as (typeof writes)[number], error);
      // One write of the batch is refused: write them one by one.
      for (const one of writes) await writeOne(one);
    }
  }

  async function writeOne(one: { entry: Entry; write: ExecutionWrite }): Promise<void> {
    try {
      settle([one], await keep([one.write]));
    } catch (error) {
      if (isDatabaseAway(error)) return again([one], error);
      return refuse(one, error);
    }
  }

  /** PostgreSQL refuses the write permanently: the execution fails. */
  async function refuse(one: { entry: Entry; write: ExecutionWrite }, error: unknown): Promise<void> {
    const { lease } = one.entry.source;
    logger.error(
      { execution: lease.id, err: error },
      'PostgreSQL refused the state of an execution; the execution fails',
    );
    const code = String((error as { code?: unknown }).code ?? 'unknown');
    const write = failedWrite(lease, engineError('Not storable', `the database refused what a step gave (${code})`));
    try {
      settle([{ ...one, write }], await keep([write]));
    } catch (failed) {
      one.entry.done.reject(failed);
    }
  }

  /** The database is unavailable. Until the leases end, this worker may still write the changes. */
  async function again(writes: readonly { entry: Entry; write: ExecutionWrite }[], error: unknown): Promise<void> {
    await pause(AWAY_PAUSE_MS);
    const now = performance.now();
    const left = writes.filter(({ entry }) => entry.source.lease.leaseEnds > now);
    for (const { entry } of writes) if (entry.source.lease.leaseEnds <= now) entry.done.reject(error);
    if (left.length === 0) return;
    try {
      settle(left, await keep(left.map(({ write }) => write)));
    } catch (failed) {
      if (isDatabaseAway(failed)) return again(left, failed);
      for (const one of left) await writeOne(one);
    }
  }

  function keep(writes: readonly ExecutionWrite[]): Promise<Written[]> {
    return advanceExecutions(database, writes);
  }

  function settle(writes: readonly { entry: Entry; write: ExecutionWrite }[], written: readonly Written[]): void {
    const byId = new Map(written.map((one) => [one.id, one]));
    const kept = writes.flatMap(({ write }) => {
      const at = byId.get(write.id);
      return at === undefined ? [] : [{ write, at }];
    });
    onWritten(kept);
    for (const { entry, write } of writes) entry.done.resolve(byId.get(write.id));
  }

  return {
    write(source) {
      const { promise } = entryOf(source).done;
      begin();
      return promise;
    },
    writeSoon(source) {
      entryOf(source);
      if (writing === undefined) timer ??= setTimeout(begin, SOON_MS);
    },
    async idle() {
      while (writing !== undefined || wanted.size > 0) {
        begin();
        await writing;
      }
    },
  };
}
