import { setTimeout as pause } from 'node:timers/promises';

/** Maximum number of unanswered requests: a jump to a random address can take a second to end. */
const MAX_IN_FLIGHT = 12;

/**
 * Starts the action for each item, `perSecond` times a second, without waiting for earlier ones. Resolves when all have
 * ended.
 */
export async function paced<T>(
  items: readonly T[],
  perSecond: number,
  action: (item: T) => Promise<unknown>,
): Promise<void> {
  const inFlight = new Set<Promise<unknown>>();
  for (const item of items) {
    if (inFlight.size >= MAX_IN_FLIGHT) await Promise.race(inFlight);
    const started: Promise<unknown> = action(item).finally(() => inFlight.delete(started));
    inFlight.add(started);
    await pause(1000 / perSecond);
  }
  await Promise.all(inFlight);
}
