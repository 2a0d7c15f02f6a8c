import type { DetectorLog } from '../log.ts';
import { pause } from '../sources/source.ts';
import { backoffMs } from './backoff.ts';
import type { PostResult } from './post-batch.ts';

/** A response about the batch itself: accepted, or rejected permanently. */
export type Settled = Exclude<PostResult, { outcome: 'later' }>;

export interface RetryOptions {
  readonly delays: { readonly baseMs: number; readonly maxMs: number; readonly random: () => number };
  readonly log: DetectorLog;
  readonly retried: () => void;
}

/** While batches wait, a rejected key is reported every tenth attempt: every five minutes at the maximum back-off. */
const REPORT_EVERY = 10;

/**
 * Posts with back-off until the receiver accepts or permanently rejects the batch. Resolves to null if `signal` ended
 * the attempts.
 */
export async function sendUntilSettled(
  post: () => Promise<PostResult>,
  signal: AbortSignal,
  { delays, log, retried }: RetryOptions,
): Promise<Settled | null> {
  let keyRefusals = 0;
  for (let attempt = 1; ; attempt++) {
    const result = await post();
    if (result.outcome !== 'later') return result;
    retried();
    const { reason } = result;
    if (result.keyRefused) {
      if (keyRefusals % REPORT_EVERY === 0)
        log('error', { reason }, 'the receiver rejects the API key, events wait for a valid one');
      keyRefusals++;
    } else if (attempt === 1) log('warn', { reason }, 'the receiver accepts no events, retrying');
    await pause(backoffMs(attempt, result.retryAfterMs, delays), signal);
    if (signal.aborted) return null;
  }
}
