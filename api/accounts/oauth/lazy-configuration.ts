import type { Configuration } from 'openid-client';

const FRESH_MS = 60 * 60_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Caches the result of discovery for an hour. Concurrent callers share one request. After a failure it retries after a
 * second; until then it uses the previous result, if any.
 */
export function createLazyConfiguration(
  discover: () => Promise<Configuration>,
  now: () => number = () => performance.now(),
): () => Promise<Configuration> {
  let found: Configuration | undefined;
  let foundAt = 0;
  let failure: { readonly error: unknown; readonly at: number } | undefined;
  let asking: Promise<Configuration> | undefined;

  async function ask(): Promise<Configuration> {
    try {
      found = await discover();
      foundAt = now();
      failure = undefined;
      return found;
    } catch (error) {
      failure = { error, at: now() };
      if (found === undefined) throw error;
      return found;
    } finally {
      asking = undefined;
    }
  }

  return async () => {
    if (found !== undefined && now() - foundAt < FRESH_MS) return found;
    if (failure !== undefined && now() - failure.at < PAUSE_AFTER_FAILURE_MS) {
      if (found !== undefined) return found;
      throw failure.error;
    }
    asking ??= ask();
    return asking;
  };
}
