import type { Configuration } from 'openid-client';

const FRESH_MS = 60 * 60_000;
const PAUSE_AFTER_FAILURE_MS = 1_000;

/**
 * Remembers what discovery found for an hour; asks once however many wait; tries again a second after a failure. What was found before
 * continues to be used while the provider does not answer.
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
