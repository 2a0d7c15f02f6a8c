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
 * Limits of what guesses passwords and codes, or makes us send mail. They answer 429 alone and block nothing. Each call counts one try,
 * before it is made, in all limits that concern it or in none; undefined: it may be made. Without the shared state all is refused:
 * limits of a process alone would multiply the guesses by the number of processes.
 */
export interface SignInLimits {
  signIn(origin: Guesser): Promise<Refusal | undefined>;
  /** After success: wipes both counters of `signIn`, and not what the IP failed with. Redis unavailable: they end by themselves. */
  signedIn(origin: Guesser): Promise<void>;
  /**
   * After failure: remembers that this IP failed with this address. When that were too many addresses `signIn` refuses the IP, whatever it
   * succeeds with in between: an own account must not buy tries at the accounts of others. Redis unavailable: it is forgotten.
   */
  signInFailed(origin: Guesser): Promise<void>;
  verifyCode(origin: Guesser): Promise<Refusal | undefined>;
  /** After success: wipes what was counted for the address and this IP. What the IP tried with other addresses stays. */
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
  /** Of all processes; e-mail addresses are hashed with it. */
  readonly secret: string;
  /** Default: those of the contract. */
  readonly limits?: Readonly<Record<Limited, { readonly perIp: WindowLimit; readonly perSubject: WindowLimit }>>;
  /** Different e-mail addresses one IP may fail to sign in with. Default 50 in an hour. */
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

/** What `perSubject` counts: an e-mail address from one IP, or, of what sends mail, an e-mail address from any. */
const SUBJECTS: Readonly<Record<Limited, 'ip-email' | 'email'>> = {
  'sign-in': 'ip-email',
  'verify-code': 'ip-email',
  'send-code': 'email',
  'request-reset': 'email',
};

/** Different e-mail addresses one IP may fail to sign in with; more than an office forgets its passwords of, much less than guessing needs. */
const FAILED_ACCOUNTS = within(50, HOUR_MS);

/** Redis is usually back within seconds. */
const AWAY_RETRY_SECONDS = 5;

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
      return counted.allowed ? undefined : refuse('rate_limited', 'too many tries', wholeSeconds(counted.resetMs));
    } catch (error) {
      if (!(error instanceof SharedStateUnavailable)) throw error;
      return refuse('unavailable', 'the service is not available right now', AWAY_RETRY_SECONDS);
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
