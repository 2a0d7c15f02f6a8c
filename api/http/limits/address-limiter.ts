import type { BlockingCount, SharedState, WindowLimit } from '#api/shared-state/port.ts';
import { addressGroup } from './address-group.ts';
import { createGate } from './gate.ts';
import { createInFlightLimit } from './in-flight-limit.ts';
import { createRateLimitHeaders } from './rate-limit-headers.ts';
import { type Refusal, wholeSeconds } from './refusal.ts';

/**
 * The limits of an address. An IPv6 address shares the limits of its /64 network. No method rejects because Redis is
 * unavailable.
 */
export interface AddressLimiter {
  /**
   * Returns the refusal of a blocked address. Called first, before any verification. Returns a value instead of a
   * promise for an address whose state this process knows. With `withKey`, the state that `checkKey` needs is requested
   * in the same round trip.
   */
  refuseBlocked(
    address: string,
    expected?: { readonly withKey: boolean },
  ): Refusal | undefined | Promise<Refusal | undefined>;
  /**
   * Runs `verify` for a presented key, unless the address sent too many wrong keys; then it refuses without
   * verification. If `verify` resolves to undefined, the key counts as wrong. If `verify` rejects, nothing is counted
   * and the call rejects. `known` returns the caller of a recently verified key without a promise. If it returns
   * undefined, `verify` decides.
   */
  checkKey<T>(
    address: string,
    verify: () => Promise<T | undefined>,
    known?: () => T | undefined,
  ): KeyChecked<T> | Promise<KeyChecked<T>>;
  /** Counts a request under the general limit, once, after the caller is known. */
  count(address: string): Promise<Counted>;
  /**
   * Counts a request before any verification. Replaces `refuseBlocked` and `count` for an address whose state must be
   * read from Redis: one round trip instead of two. Returns undefined for an address whose state this process knows. A
   * request of a blocked address is refused and not counted.
   */
  countUnknown(address: string, expected?: { readonly withKey: boolean }): Promise<Counted> | undefined;
  /** `degraded`: Redis is unavailable, and each process counts separately. */
  state(): 'ok' | 'degraded';
}

export interface KeyChecked<T> {
  /** The result of `verify`. Undefined for a wrong key. */
  readonly found?: T | undefined;
  /** Set if the key was not verified. */
  readonly refusal?: Refusal;
  /** True for the wrong key that made the address exceed the limit. */
  readonly closed?: boolean;
}

export interface Counted {
  /** Headers of the response, whether served or refused. */
  readonly headers: Readonly<Record<string, string>>;
  /** Set for the request that exceeds the limit. The address is then blocked. */
  readonly refusal?: Refusal;
}

export interface AddressLimiterConfig {
  /** Default 100 in 60 s. */
  readonly general?: WindowLimit;
  /** Time for which an address is blocked after it exceeds the general limit. Default 5 minutes. */
  readonly blockMs?: number;
  /** Number of wrong keys after which no key of the address is verified for the rest of the window. Default 20 in 60 s. */
  readonly wrongKeys?: WindowLimit;
}

const GENERAL: WindowLimit = { limit: 100, windowMs: 60_000 };
const BLOCK_MS = 5 * 60_000;
const WRONG_KEYS: WindowLimit = { limit: 20, windowMs: 60_000 };

export function createAddressLimiter(
  { shared }: { readonly shared: SharedState },
  { general = GENERAL, blockMs = BLOCK_MS, wrongKeys = WRONG_KEYS }: AddressLimiterConfig = {},
): AddressLimiter {
  const requests = createGate(shared, { name: 'address', ...general, blockMs });
  // The gate closes at the last wrong key within the limit, not at the first beyond it.
  const keys = createGate(shared, {
    name: 'wrong-keys',
    limit: wrongKeys.limit - 1,
    windowMs: wrongKeys.windowMs,
    blockMs: wrongKeys.windowMs,
  });
  const headersOf = createRateLimitHeaders(general);
  const inFlight = createInFlightLimit({ max: general.limit });

  return {
    refuseBlocked(address, { withKey } = { withKey: false }) {
      const group = addressGroup(address);
      if (withKey) askForKeys(group);
      const closed = requests.closedFor(group);
      return typeof closed === 'number' ? blockedFor(closed) : closed.then(blockedFor);
    },
    checkKey(address, verify, known) {
      const group = addressGroup(address);
      const closed = keys.closedFor(group);
      if (closed === 0) {
        const found = known?.();
        if (found !== undefined) return { found };
      }
      return verifyKey(group, closed, verify);
    },
    count: (address) => requests.count(addressGroup(address)).then(countedOf),
    countUnknown(address, { withKey } = { withKey: false }) {
      const group = addressGroup(address);
      if (requests.knows(group)) return undefined;
      if (withKey) askForKeys(group);
      return requests.count(group).then(countedOf);
    },
    state: () => (shared.state() === 'down' || requests.alone() || keys.alone() ? 'degraded' : 'ok'),
  };

  /** Requests the state concurrently with another request, so that `checkKey` needs no round trip. */
  function askForKeys(group: string): void {
    const closed = keys.closedFor(group);
    if (typeof closed !== 'number') closed.catch(() => {}); // `checkKey` requests it again and receives the error
  }

  async function verifyKey<T>(
    group: string,
    closed: number | Promise<number>,
    verify: () => Promise<T | undefined>,
  ): Promise<KeyChecked<T>> {
    const closedMs = await closed;
    if (closedMs > 0) return { refusal: refusal(closedMs, false) };
    // During a flood, many requests arrive before the first verification ends. If more are in flight than a whole
    // window permits, they exceed the limit or are wrong anyway.
    if (!inFlight.enter(group)) return { refusal: refusal(1, false) };
    try {
      const found = await verify();
      if (found !== undefined) return { found };
      const { began } = await keys.count(group);
      return { found, closed: began };
    } finally {
      inFlight.leave(group);
    }
  }

  function blockedFor(ms: number): Refusal | undefined {
    return ms > 0 ? refusal(ms, false, headersOf(0, ms)) : undefined;
  }

  function countedOf({ allowed, remaining, blockedMs, began }: BlockingCount): Counted {
    const headers = headersOf(remaining, allowed ? general.windowMs : blockedMs);
    return allowed ? { headers } : { headers, refusal: refusal(blockedMs, began, headers) };
  }
}

function refusal(ms: number, began: boolean, headers: Refusal['headers'] = {}): Refusal {
  return {
    code: 'rate_limited',
    message: 'too many requests from this address',
    retryAfterSeconds: wholeSeconds(ms),
    headers,
    began,
  };
}
