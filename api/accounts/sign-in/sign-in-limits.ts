import { addressGroup } from '#api/http/limits/address-group.ts';
import { type Refusal, wholeSeconds } from '#api/http/limits/refusal.ts';
import { subjectKey } from '#api/http/limits/subject-key.ts';
import {
  type SharedState,
  SharedStateUnavailable,
  type WindowCount,
  type WindowLimit,
} from '#api/shared-state/port.ts';

/**
 * Limits actions that guess passwords and codes or cause mails. A refusal is a 429 and blocks nothing else. Each call
 * counts one attempt before it is made, in all limits that apply or in none. Undefined: the attempt is permitted.
 * Without the shared state every attempt is refused, because limits per process would multiply the permitted guesses by
 * the number of processes.
 */
export interface SignInLimits {
  signIn(origin: Guesser): Promise<Refusal | undefined>;
  /**
   * After a success: resets both counters of `signIn`, but not the failures of the IP address with other accounts.
   * While Redis is unavailable, the counters expire.
   */
  signedIn(origin: Guesser): Promise<void>;
  /**
   * After a failure: records that this IP address failed with this e-mail address. Over the limit of e-mail addresses,
   * `signIn` refuses the IP address. Successes do not reset this, so that an attacker's own account cannot buy attempts
   * at other accounts. While Redis is unavailable, nothing is recorded.
   */
  signInFailed(origin: Guesser): Promise<void>;
  verifyCode(origin: Guesser): Promise<Refusal | undefined>;
  /**
   * After a success: resets the counters of the e-mail address and this IP address. Attempts of the IP address with
   * other e-mail addresses stay counted.
   */
  codeVerified(origin: Guesser): Promise<void>;
  sendCode(origin: Guesser): Promise<Refusal | undefined>;
  requestReset(origin: Guesser): Promise<Refusal | undefined>;
}

export interface Guesser {
  /** See `createClientAddress`; an IPv6 address shares the limits of its /64. */
  readonly ip: string;
  readonly email: string;
}

export interface SignInLimitsConfig {
  /** Shared by all processes. E-mail addresses are hashed with it. */
  readonly secret: string;
  /** Default: the limits of the contract. */
  readonly limits?: Readonly<Record<Limited, { readonly perIp: WindowLimit; readonly perSubject: WindowLimit }>>;
  /** Number of different e-mail addresses with which one IP address may fail to sign in. Default 50 in an hour. */
  readonly failedAccounts?: WindowLimit;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const LIMITS = {
  'sign-in': { perIp: within(20, 10 * MINUTE_MS), perSubject: within(10, 10 * MINUTE_MS) },
  'verify-code': { perIp: within(50, 10 * MINUTE_MS), perSubject: within(10, 10 * MINUTE_MS) },
  'send-code': { perIp: within(20, HOUR_MS), perSubject: within(5, HOUR_MS) },
  'request-reset': { perIp: within(20, HOUR_MS), perSubject: within(5, HOUR_MS) },
} as const;
type Limited = keyof typeof LIMITS;

/**
 * What `perSubject` counts: an e-mail address from one IP address or, for actions that send mail, an e-mail address
 * from any IP address.
 */
const SUBJECTS: Readonly<Record<Limited, 'ip-email' | 'email'>> = {
  'sign-in': 'ip-email',
  'verify-code': 'ip-email',
  'send-code': 'email',
  'request-reset': 'email',
};

/**
 * Number of different e-mail addresses with which one IP address may fail to sign in. It is more than forgotten
 * passwords in an office, and far less than guessing needs.
 */
const FAILED_ACCOUNTS = within(50, HOUR_MS);

/** Redis is usually available again within seconds. */
const UNAVAILABLE_RETRY_SECONDS = 5;

export function createSignInLimits(
  { shared }: { readonly shared: SharedState },
  { secret, limits = LIMITS, failedAccounts = FAILED_ACCOUNTS }: SignInLimitsConfig,
): SignInLimits {
  return {
    signIn: async (origin) => (await failedTooOften(origin)) ?? (await take('sign-in', origin)),
    signedIn(origin) {
      const { ip, subject } = keysOf('sign-in', origin);
      return clear([ip, subject]);
    },
    signInFailed: (origin) =>
      ignoreUnavailable(async () => {
        const { ip, account } = failureKeysOf(origin);
        if (await shared.cache.setIfAbsent(account, '1', failedAccounts.windowMs))
          await shared.windows.take([{ key: ip, ...failedAccounts }]);
      }),
    verifyCode: (origin) => take('verify-code', origin),
    codeVerified: (origin) => clear([keysOf('verify-code', origin).subject]),
    sendCode: (origin) => take('send-code', origin),
    requestReset: (origin) => take('request-reset', origin),
  };

  function take(what: Limited, origin: Guesser): Promise<Refusal | undefined> {
    const { perIp, perSubject } = limits[what];
    const keys = keysOf(what, origin);
    return refusalBy(() =>
      shared.windows.take([
        { key: keys.ip, ...perIp },
        { key: keys.subject, ...perSubject },
      ]),
    );
  }

  function failedTooOften(origin: Guesser): Promise<Refusal | undefined> {
    return refusalBy(() => shared.windows.peek(failureKeysOf(origin).ip, failedAccounts));
  }

  async function refusalBy(count: () => Promise<WindowCount>): Promise<Refusal | undefined> {
    try {
      const counted = await count();
      return counted.allowed ? undefined : refuse('rate_limited', 'too many attempts', wholeSeconds(counted.resetMs));
    } catch (error) {
      if (!(error instanceof SharedStateUnavailable)) throw error;
      return refuse('unavailable', 'the service is not available right now', UNAVAILABLE_RETRY_SECONDS);
    }
  }

  function clear(keys: readonly string[]): Promise<void> {
    return ignoreUnavailable(() => shared.windows.clear(keys));
  }

  async function ignoreUnavailable(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof SharedStateUnavailable)) throw error;
    }
  }

  function keysOf(what: Limited, origin: Guesser): { ip: string; subject: string } {
    const ip = addressGroup(origin.ip);
    const email = subjectKey(secret, origin.email);
    const subject = SUBJECTS[what] === 'email' ? email : `${ip}:${email}`;
    return { ip: `${what}:ip:${ip}`, subject: `${what}:subject:${subject}` };
  }

  function failureKeysOf({ ip, email }: Guesser): { ip: string; account: string } {
    const group = addressGroup(ip);
    return {
      ip: `sign-in-failed:ip:${group}`,
      account: `sign-in-failed:account:${group}:${subjectKey(secret, email)}`,
    };
  }
}

function within(limit: number, windowMs: number): WindowLimit {
  return { limit, windowMs };
}

function refuse(code: Refusal['code'], message: string, retryAfterSeconds: number): Refusal {
  return { code, message, retryAfterSeconds, headers: {}, began: false };
}
