import { setTimeout as pause } from 'node:timers/promises';

/**
 * Ratio of the pause to the duration of the poll before it: polls take processor time from the code that they wait for.
 */
const PAUSE_FACTOR = 4;
const MIN_PAUSE_MS = 20;
const MAX_PAUSE_MS = 200;

/**
 * Polls until `probe` returns a value other than undefined, false or null, and resolves to it. An exception of the
 * probe counts as "not yet" and becomes the cause of the timeout error.
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | Promise<T>,
  { timeoutMs = 90_000, everyMs }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  while (true) {
    const begun = performance.now();
    try {
      const result = await probe();
      if (result !== undefined && result !== null && result !== false) return result as NonNullable<Exclude<T, false>>;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause: last });
    const tookMs = performance.now() - begun;
    await pause(everyMs ?? Math.min(Math.max(tookMs * PAUSE_FACTOR, MIN_PAUSE_MS), MAX_PAUSE_MS));
  }
}
