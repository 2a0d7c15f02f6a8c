import { setTimeout as pause } from 'node:timers/promises';

/**
 * Polls until `probe` gives something other than undefined, false or null, and returns it. An exception of the probe counts as
 * "not yet" and becomes the cause of the time-out error.
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | Promise<T>,
  { timeoutMs = 90_000, everyMs = 20 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  while (true) {
    try {
      const result = await probe();
      if (result !== undefined && result !== null && result !== false) return result as NonNullable<Exclude<T, false>>;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause: last });
    await pause(everyMs);
  }
}
