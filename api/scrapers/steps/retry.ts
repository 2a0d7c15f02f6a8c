import { UpstreamFailure } from '../upstream-failure.ts';
import { pause } from './pause.ts';

export interface RetryConfig {
  readonly signal: AbortSignal;
  /** Of the first pause. */
  readonly firstPauseMs: number;
  readonly random: () => number;
}

export const MAX_ATTEMPTS = 3;
/** Who asks waits with us: an upstream that wants to be left alone for longer has failed. */
const MAX_PAUSE_MS = 5_000;

/**
 * Step 6. Tries again what may go better another time, three times in all, with pauses that double and vary (so that many who failed together
 * do not come back together) and are never shorter than what upstream asked for.
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
