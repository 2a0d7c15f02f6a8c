import { setTimeout as pause } from 'node:timers/promises';

export interface SettleOptions {
  /** How much is left; 0: done. A rejection counts as no answer yet, and is the cause of the error. */
  readonly left: () => Promise<number>;
  /** How long nothing may be done. A busy machine is slow, a fault stands still. */
  readonly stalledMs: number;
  readonly everyMs: number;
  /** Milliseconds of a clock that is never set. */
  readonly now?: () => number;
}

/** Resolves when nothing is left. Rejects when less than before has not been left for `stalledMs`. */
export async function settle(
  what: string,
  { left, stalledMs, everyMs, now = () => performance.now() }: SettleOptions,
): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  let progressAt = now();
  while (true) {
    let failure: unknown;
    const count = await left().catch((error: unknown) => {
      failure = error;
      return undefined;
    });
    if (count === 0) return;
    if (count !== undefined && count < least) {
      least = count;
      progressAt = now();
    } else if (now() - progressAt > stalledMs) {
      const amount = Number.isFinite(least) ? `${least} are left` : 'no answer';
      throw new Error(`no progress for ${stalledMs} ms while waiting for ${what}: ${amount}`, { cause: failure });
    }
    await pause(everyMs);
  }
}
