import type { WorkerLogger } from '#api/leases/port.ts';
import type { Database } from '#api/postgres/database.ts';
import type { Written } from '../../store/advance.ts';
import type { ExecutionWrite } from '../../store/execution-write.ts';
import { createBatchWrite, type OnWritten, type TakenWrite, type WriteEntry, type WriteSource } from './write-batch.ts';

export interface Writer {
  /**
   * Writes the changes of the source. Resolves when they are written, or to undefined if the lease is lost. Rejects if
   * they cannot be written; the lease then expires.
   */
  write(source: WriteSource): Promise<Written | undefined>;
  /** Requests a write with the next batch, or after a short delay. No caller waits for it. */
  writeSoon(source: WriteSource): void;
  /**
   * Writes at `due` (in the time base of `performance.now()`), unless another write of the source includes the changes
   * before.
   */
  writeLater(source: WriteSource, due: number): void;
  /** Resolves when nothing is left to write. */
  idle(): Promise<void>;
}

const SOON_MS = 40;
const MAX_BATCH_WRITES = 100;
const RENDERED_AT_ONCE = 4;
const MAX_WRITE_BYTES = 8 * 1024 * 1024;

/** Length of the JSON in a write. Files are already written. */
function bytesOf({ state, result, steps, waits, events }: ExecutionWrite): number {
  let bytes = (state?.length ?? 0) + (result?.length ?? 0);
  for (const { input, output } of steps) bytes += (input?.length ?? 0) + (output?.length ?? 0);
  for (const { filters } of waits) bytes += filters.length;
  for (const { event } of events) bytes += event.length;
  return bytes;
}

/**
 * Writes the changes of all executions of a worker. One statement covers many executions, and only one statement runs
 * at a time. Long: its functions share the requested and the delayed writes, and their timers.
 */
export function createWriter(
  { database, logger }: { readonly database: Database; readonly logger: WorkerLogger },
  { onWritten }: { readonly onWritten: OnWritten },
): Writer {
  const writeBatch = createBatchWrite({ database, logger, onWritten });
  const wanted = new Map<WriteSource, WriteEntry>();
  /** Write deadlines of sources, in the time base of `performance.now()`. */
  const delayed = new Map<WriteSource, number>();
  let writing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let delayTimer: NodeJS.Timeout | undefined;

  function entryOf(source: WriteSource): WriteEntry {
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
    while (wanted.size > 0) {
      // The batch includes writes of the same iteration of the event loop, and the next writes of the runs in the
      // previous batch. This makes statements fewer and larger.
      await new Promise(setImmediate);
      const entries = nextFew();
      for (const { source } of entries) {
        wanted.delete(source);
        delayed.delete(source);
      }
      await writeEach(entries);
    }
  }

  /** Requests the writes whose delay has passed. */
  function endDelays(): void {
    delayTimer = undefined;
    const now = performance.now();
    for (const [source, due] of delayed) {
      if (due > now) continue;
      delayed.delete(source);
      entryOf(source);
    }
    if (delayed.size > 0) armDelays(Math.min(...delayed.values()));
    if (wanted.size > 0) begin();
  }

  function armDelays(due: number): void {
    if (delayTimer === undefined) delayTimer = setTimeout(endDelays, Math.max(0, Math.ceil(due - performance.now())));
  }

  /**
   * Returns one entry per execution. An execution that this worker lost and claimed again may have two. In one
   * statement, the write of the lost run would appear to succeed together with the other.
   */
  function nextFew(): WriteEntry[] {
    const few = new Map<string, WriteEntry>();
    for (const entry of wanted.values()) {
      const { id } = entry.source.lease;
      if (!few.has(id)) few.set(id, entry);
      if (few.size === MAX_BATCH_WRITES) break;
    }
    return [...few.values()];
  }

  async function writeEach(entries: readonly WriteEntry[]): Promise<void> {
    for (let next = 0; next < entries.length; ) {
      const writes: TakenWrite[] = [];
      // Limits the size of a batch: rendered writes stay in memory until they are written.
      for (let bytes = 0; next < entries.length && bytes < MAX_WRITE_BYTES; next += RENDERED_AT_ONCE) {
        const taken = await Promise.all(entries.slice(next, next + RENDERED_AT_ONCE).map(take));
        writes.push(...taken.flat());
        for (const { write } of taken.flat()) bytes += bytesOf(write);
      }
      await writeBatch(writes);
    }
  }

  async function take(entry: WriteEntry): Promise<TakenWrite[]> {
    try {
      return [{ entry, write: await entry.source.take() }];
    } catch (error) {
      entry.done.reject(error);
      return [];
    }
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
    writeLater(source, due) {
      delayed.set(source, due);
      armDelays(due);
    },
    async idle() {
      while (writing !== undefined || wanted.size + delayed.size > 0) {
        for (const source of delayed.keys()) entryOf(source);
        delayed.clear();
        begin();
        await writing;
      }
    },
  };
}
