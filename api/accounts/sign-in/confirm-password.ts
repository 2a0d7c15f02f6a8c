import type { Audit } from '#api/audit/port.ts';
import type { Refusal } from '#api/http/limits/refusal.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { ReportSecurityEvent } from '#api/http/security-events.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { WindowLimit } from '#api/shared-state/port.ts';
import type { Hasher } from '../passwords/hasher.ts';
import type { Background } from './background.ts';
import { ACCOUNT_LOCK, countSignIn, lockAccount, type SignInCandidate, uncountSignIn } from './sign-in-attempts.ts';
import type { SignInLimits } from './sign-in-limits.ts';

export interface ConfirmPasswordDeps {
  readonly database: Database;
  readonly hasher: Pick<Hasher, 'verify' | 'decoy'>;
  readonly limits: Pick<SignInLimits, 'signIn' | 'signInFailed'>;
  readonly audit: Audit;
  readonly background: Background;
  readonly report: ReportSecurityEvent;
}

export interface ConfirmPasswordConfig {
  /** Number of failed sign-ins that lock an account, and the lock time. Default: 5 for 15 minutes. */
  readonly accountLock?: WindowLimit;
}

export type ConfirmedPassword =
  /** The password is correct. The attempt still counts as a failure until the caller resets the count. */
  | { readonly kind: 'confirmed'; readonly account: SignInCandidate }
  /** The account is unknown, locked, disabled, past its end date or without a password, or the password is wrong. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'limited'; readonly refusal: Refusal };

/** `email` is in normal form. Rejects with `HasherBusy`; the attempt is then not counted as a failure. */
export type ConfirmPassword = (email: string, password: string, origin: RequestOrigin) => Promise<ConfirmedPassword>;

/**
 * Compares the password of an account: limits, count, comparison. To keep the response time equal, each refused attempt
 * does the same work before the response: one count and one comparison, with a decoy if there is no account.
 */
export function createConfirmPassword(
  deps: ConfirmPasswordDeps,
  { accountLock = ACCOUNT_LOCK }: ConfirmPasswordConfig = {},
): ConfirmPassword {
  const { database, hasher, limits, audit, background, report } = deps;

  return async (email, password, origin) => {
    const guesser = { ip: origin.ip, email };
    const refusal = await limits.signIn(guesser);
    if (refusal !== undefined) {
      if (refusal.code === 'rate_limited') report({ kind: 'password-guessing', origin, target: email });
      return { kind: 'limited', refusal };
    }
    const candidate = await countSignIn(database, email, accountLock);
    const matches = await compare(candidate, password);
    if (candidate !== undefined && matches) return { kind: 'confirmed', account: candidate };
    // The number of accounts at which an address fails decides the kind of the incident; see `createSecurityDetectors`.
    report({ kind: 'password-guessing', origin, target: email });
    background.run(() => limits.signInFailed(guesser));
    if (candidate !== undefined && candidate.failures >= accountLock.limit) lock(candidate, origin);
    return { kind: 'refused' };
  };

  async function compare(candidate: SignInCandidate | undefined, password: string): Promise<boolean> {
    try {
      return await hasher.verify(password, candidate?.passwordHash ?? hasher.decoy);
    } catch (error) {
      // The password was not compared, so the attempt does not count as a failure.
      if (candidate !== undefined) background.run(() => uncountSignIn(database, candidate.id, accountLock));
      throw error;
    }
  }

  /** Records the lock, which the count has already caused. Runs after the response, so that the response time stays equal. */
  function lock({ id }: SignInCandidate, origin: RequestOrigin): void {
    background.run(() =>
      inTransaction(database, async (transaction) => {
        const lockUntil = await lockAccount(transaction, id, accountLock);
        if (lockUntil === undefined) return;
        const diff = { lockUntil: { before: null, after: lockUntil.toISOString() } };
        await audit.record(transaction, { actor: 'system', target: `user:${id}`, action: 'user.lock', diff, origin });
      }),
    );
  }
}
