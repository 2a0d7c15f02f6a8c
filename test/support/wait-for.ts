import { setTimeout as pause } from 'node:timers/promises';

/** Between two polls: soon at first, and less often of what takes long, because polls take processor time from what they wait for. */
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 80;
const PAUSES_GROW_BY = 1.25;

/**
 * Polls until `probe` gives something other than undefined, false or null, and returns it. An exception of the probe counts as
 * "not yet" and becomes the cause of the time-out error.
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | Promise<T>,
  { timeoutMs = 90_000, everyMs }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  let pauseMs = everyMs ?? FIRST_PAUSE_MS;
  while (true) {
    try {
      const result = await probe();
      if (result !== undefined && result !== null && result !== false) return result as NonNullable<Exclude<T, false>>;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause: last });
    await pause(pauseMs);
    if (everyMs === undefined) pauseMs = Math.min(pauseMs * PAUSES_GROW_BY, MAX_PAUSE_MS);
  }
}
