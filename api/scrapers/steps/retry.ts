import { UpstreamFailure } from '../upstream-failure.ts';
import { pause } from './pause.ts';

export interface RetryConfig {
  readonly signal: AbortSignal;
  /** Length of the first pause. */
  readonly firstPauseMs: number;
  readonly random: () => number;
}

export const MAX_ATTEMPTS = 3;
/** Callers wait during the pause. If upstream requests a longer pause, the call fails. */
const MAX_PAUSE_MS = 5_000;

/**
 * Step 6. Retries temporary failures, at most three attempts in all. The pauses double, have jitter (so that callers
 * that failed together do not retry together) and are never shorter than upstream requested.
 */
export async function retry<T>(attempt: () => Promise<T>, { signal, firstPauseMs, random }: RetryConfig): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof UpstreamFailure) || !error.retriable || tries === MAX_ATTEMPTS) throw error;
      const backOffMs = firstPauseMs * 2 ** (tries - 1) * (0.5 + random());
      const pauseMs = Math.max(backOffMs, error.retryAfterMs ?? 0);
      if (pauseMs > MAX_PAUSE_MS) throw error;
      await pause(pauseMs, signal);
    }
  }
}
