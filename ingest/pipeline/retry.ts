import { setTimeout as delay } from 'node:timers/promises';

export interface RetryPolicy {
  /**
   * Returns true if a retry can succeed. Any other error is rethrown without retry: unknown errors end the process with
   * nothing acknowledged.
   */
  readonly isTemporary: (error: unknown) => boolean;
  readonly signal: AbortSignal;
  /** Called before each wait, for logs and metrics. */
  readonly onRetry?: (operation: string, attempt: number, error: unknown) => void;
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly random?: () => number;
}

/**
 * Runs an operation until it succeeds or fails permanently. Retries temporary failures without limit, with exponential
 * back-off and full jitter (delay = random × min(cap, first × 2^attempt)). If a store is unavailable for an hour, the
 * pipeline waits for an hour and loses no data. Throws a permanent error unchanged, and the signal's reason when
 * aborted.
 */
export async function retrying<T>(operation: string, run: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  const { isTemporary, signal, onRetry, firstDelayMs = 50, maxDelayMs = 5000, random = Math.random } = policy;
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await run();
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      onRetry?.(operation, attempt + 1, error);
      const ceiling = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempt, 20));
      await delay(5 + random() * ceiling, undefined, { signal });
    }
  }
}
