import { setTimeout as delay } from 'node:timers/promises';
import { OutboundFailure } from '#api/outbound/port.ts';

const FIRST_PAUSE_MS = 250;

/**
 * Retries with doubling pauses while the cluster has no coordinator for the group: it creates its offsets topic with
 * the first group. Rejects on any other failure, or if the signal aborts. `pause` waits, and rejects if the signal is
 * aborted.
 */
export async function onceCoordinated<T>(
  work: () => Promise<T>,
  {
    starts,
    signal,
    pause = (ms, until) => delay(ms, undefined, { signal: until }),
  }: {
    readonly starts: number;
    readonly signal: AbortSignal;
    readonly pause?: (ms: number, until: AbortSignal) => Promise<void>;
  },
): Promise<T> {
  for (let start = 1; ; start++)
    try {
      return await work();
    } catch (error) {
      const isMissing = error instanceof OutboundFailure && isWithoutCoordinator(error.cause);
      if (!isMissing || start >= starts) throw error;
      await pause(FIRST_PAUSE_MS * 2 ** (start - 1), signal).catch((cause: unknown) => {
        signal.throwIfAborted();
        throw cause;
      });
    }
}

const isWithoutCoordinator = (cause: unknown) =>
  cause instanceof Error && cause.name === 'KafkaJSGroupCoordinatorNotFound';
