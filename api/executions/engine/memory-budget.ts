import { setTimeout as pause } from 'node:timers/promises';
import { engineError, TaskFailure } from './task-failure.ts';

/**
 * Bounds the values that all executions in progress of a process hold in memory. One account has at most half, so that its executions wait for each
 * other and not for those of other accounts.
 */
export interface MemoryBudget {
  /** Sets the bytes that an execution holds; resolves when they fit into the budget. Rejects with `TaskFailure` when they do not fit for 30 s, or when it is aborted. */
  reserve(
    execution: { readonly id: string; readonly ownerId: string | null },
    bytes: number,
    signal: AbortSignal,
  ): Promise<void>;
  /** Releases all bytes of the execution. */
  release(id: string): void;
  /** Bytes held by all. */
  total(): number;
}

/** What an execution holds without being counted: most hold less. */
const FREE_BYTES = 64 * 1024;
/** For executions of the same account to end; nothing that waits holds a lock. */
const WAIT_MS = 30_000;
const POLL_MS = 25;

export function createMemoryBudget({
  totalBytes,
  waitMs = WAIT_MS,
}: {
  readonly totalBytes: number;
  readonly waitMs?: number;
}): MemoryBudget {
  const held = new Map<string, { readonly owner: string; readonly bytes: number }>();
  const byOwner = new Map<string, number>();
  let total = 0;

  function set(id: string, owner: string, bytes: number): void {
    const before = held.get(id)?.bytes ?? 0;
    total += bytes - before;
    const ofOwner = (byOwner.get(owner) ?? 0) + bytes - before;
    if (ofOwner > 0) byOwner.set(owner, ofOwner);
    else byOwner.delete(owner);
    if (bytes > 0) held.set(id, { owner, bytes });
    else held.delete(id);
  }

  return {
    async reserve({ id, ownerId }, wanted, signal) {
      const owner = ownerId ?? '';
      const bytes = wanted <= FREE_BYTES ? 0 : wanted;
      const until = performance.now() + waitMs;
      for (;;) {
        const more = bytes - (held.get(id)?.bytes ?? 0);
        const ofOwner = (byOwner.get(owner) ?? 0) + more;
        if (more <= 0 || (total + more <= totalBytes && ofOwner <= totalBytes / 2)) {
          set(id, owner, bytes);
          return;
        }
        if (performance.now() >= until) {
          const detail = `the executions in progress ${ofOwner > totalBytes / 2 ? 'of this account ' : ''}hold too much data at once: run fewer at a time`;
          throw new TaskFailure(engineError('Too much data', detail));
        }
        await pause(POLL_MS, undefined, { signal });
      }
    },
    release(id) {
      const known = held.get(id);
      if (known !== undefined) set(id, known.owner, 0);
    },
    total: () => total,
  };
}
