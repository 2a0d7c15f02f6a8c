import { setTimeout as pause } from 'node:timers/promises';

export interface SettleOptions {
  /**
   * Resolves to the number of unfinished items; 0: done. A rejection counts as a missing answer and becomes the cause
   * of the error.
   */
  readonly left: () => Promise<number>;
  /** Maximum time without progress. A busy machine makes slow progress; a fault makes none. */
  readonly stalledMs: number;
  readonly everyMs: number;
  /** Returns the time in ms. The clock must be monotonic. */
  readonly now?: () => number;
}

/** Resolves when nothing is left. Rejects when the number has not decreased for `stalledMs`. */
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
