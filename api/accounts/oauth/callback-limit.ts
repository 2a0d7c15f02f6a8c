import { addressGroup } from '#api/http/limits/address-group.ts';
import { wholeSeconds } from '#api/http/limits/refusal.ts';
import { type SharedState, SharedStateUnavailable } from '#api/shared-state/port.ts';
import { HasherBusy } from '../passwords/hasher.ts';
import type { RefusedSignIn } from './refused-sign-in.ts';

/** Limit on callbacks per address that did not complete a sign-in; the same as for sign-ins with a password. */
const FAILURES = { limit: 20, windowMs: 10 * 60_000 };
const UNAVAILABLE_RETRY_SECONDS = 5;

/**
 * Runs a step of a provider's callback within the limit of its address. The step counts until a sign-in is completed.
 * Overload and unavailable stores become refusals.
 * @param completes true if the result completes a sign-in
 */
export async function withinCallbackLimit<T>(
  shared: Pick<SharedState, 'windows'>,
  ip: string,
  step: () => Promise<T>,
  completes: (result: T) => boolean,
): Promise<T | RefusedSignIn> {
  const key = `oauth-callback:${addressGroup(ip)}`;
  try {
    const { allowed, resetMs } = await shared.windows.take([{ key, ...FAILURES }]);
    if (!allowed) return { kind: 'refused', refusal: 'too-many', retryAfterSeconds: wholeSeconds(resetMs) };
    const result = await step();
    // The sign-in has succeeded. If the count cannot be reset, it expires.
    if (completes(result)) await shared.windows.clear([key]).catch(() => undefined);
    return result;
  } catch (error) {
    if (error instanceof HasherBusy)
      return { kind: 'refused', refusal: 'busy', retryAfterSeconds: error.retryAfterSeconds };
    if (!(error instanceof SharedStateUnavailable)) throw error;
    return { kind: 'refused', refusal: 'unavailable', retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS };
  }
}
