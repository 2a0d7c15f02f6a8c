import { setTimeout as delay } from 'node:timers/promises';
import { UpstreamFailure } from '../upstream-failure.ts';

/** Waits. Throws if the process stops, because there will be no answer. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (cause) {
    throw new UpstreamFailure('failed', 'the process stops', { cause });
  }
}
