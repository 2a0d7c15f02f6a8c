import { setTimeout as pause } from 'node:timers/promises';
import { engineError, TaskFailure } from '../contract/task-failure.ts';

/**
 * Bounds the memory of the values of all executions in progress of a process. One account uses at most half, so its
 * executions cannot block other accounts.
 */
export interface MemoryBudget {
  /**
   * Sets the number of bytes that an execution holds. Resolves when they fit into the budget. Rejects with
   * `TaskFailure` if they do not fit within 30 s, and with an abort error if `signal` aborts.
   */
  reserve(
    execution: { readonly id: string; readonly ownerId: string | null },
    bytes: number,
    signal: AbortSignal,
  ): Promise<void>;
  /** Releases all bytes of the execution. */
  release(id: string): void;
  /** Total bytes of all executions. */
  total(): number;
}

/** Executions that hold at most this are not counted. Most hold less. */
const FREE_BYTES = 64 * 1024;
/** Time to wait until executions of the account end. Waiters hold no locks. */
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
          const detail = `the executions in progress ${ofOwner > totalBytes / 2 ? 'of this account ' : ''}hold too much data: run fewer concurrently`;
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
