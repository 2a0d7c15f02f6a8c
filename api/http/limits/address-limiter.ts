import type { BlockingCount, SharedState, WindowLimit } from '#api/shared-state/port.ts';
import { addressGroup } from './address-group.ts';
import { createGate } from './gate.ts';
import { createInFlightLimit } from './in-flight-limit.ts';
import { createRateLimitHeaders } from './rate-limit-headers.ts';
import { type Refusal, wholeSeconds } from './refusal.ts';

/** The limits of an address. An IPv6 address shares those of its /64. Nothing here rejects because Redis is unavailable. */
export interface AddressLimiter {
  /**
   * Asked first of all, before anything is verified. Answers at once, without a promise, for an address this process knows. `withKey`: there is
   * a key to be checked after this; what `checkKey` will ask about the address goes out together with this question, in the same round trip.
   */
  refuseBlocked(
    address: string,
    expected?: { readonly withKey: boolean },
  ): Refusal | undefined | Promise<Refusal | undefined>;
  /**
   * Runs `verify` for a key that was presented, unless too many from this address were wrong: then nothing is verified. When
   * `verify` resolves to undefined the key was wrong and is counted; when it rejects nothing is counted and that rejects too.
   * `known` answers without a promise for a key that was verified before; undefined: `verify` decides.
   */
  checkKey<T>(
    address: string,
    verify: () => Promise<T | undefined>,
    known?: () => T | undefined,
  ): KeyChecked<T> | Promise<KeyChecked<T>>;
  /** Counts a request under the general limit, once, after its caller is known. */
  count(address: string): Promise<Counted>;
  /**
   * The same before anything is verified, in the place of `refuseBlocked`, for an address that Redis has to be asked about: one round trip instead of two.
   * Undefined for an address that this process knows. A request of a blocked address is refused, and not counted.
   */
  countUnknown(address: string, expected?: { readonly withKey: boolean }): Promise<Counted> | undefined;
  /** `degraded`: Redis is unavailable, and each process counts for itself. */
  state(): 'ok' | 'degraded';
}

export interface KeyChecked<T> {
  /** What `verify` found; undefined for a wrong key. */
  readonly found?: T | undefined;
  /** Set when nothing was verified. */
  readonly refusal?: Refusal;
  /** True for the wrong key that closed the address to keys. */
  readonly closed?: boolean;
}

export interface Counted {
  /** For the answer, served or refused. */
  readonly headers: Readonly<Record<string, string>>;
  /** One too many: the address is blocked from now on. */
  readonly refusal?: Refusal;
}

export interface AddressLimiterConfig {
  /** Default 100 in 60 s. */
  readonly general?: WindowLimit;
  /** How long a breach of the general limit blocks. Default 5 minutes. */
  readonly blockMs?: number;
  /** Wrong keys after which no key of the address is verified any more, for as long as the window. Default 20 in 60 s. */
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
  // The last wrong key that is verified closes the gate, not the first that would be too many.
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

  /** Together with another question, so that `checkKey` does not wait for a round trip of its own. */
  function askForKeys(group: string): void {
    const closed = keys.closedFor(group);
    if (typeof closed !== 'number') closed.catch(() => {}); // `checkKey` asks again and gets the failure
  }

  async function verifyKey<T>(
    group: string,
    closed: number | Promise<number>,
    verify: () => Promise<T | undefined>,
  ): Promise<KeyChecked<T>> {
    const closedMs = await closed;
    if (closedMs > 0) return { refusal: refusal(closedMs, false) };
    // A flood is over before the first answer: more at a time than may pass in a whole window are wrong or too many anyway.
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
