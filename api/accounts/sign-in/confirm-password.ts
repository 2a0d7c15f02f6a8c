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
  /** Failed sign-ins that lock an account, and for how long. Default: 5 for 15 minutes. */
  readonly accountLock?: WindowLimit;
}

export type ConfirmedPassword =
  /** The try still counts as a failure: the caller wipes the count with what it does. */
  | { readonly kind: 'confirmed'; readonly account: SignInCandidate }
  /** Unknown, wrong, locked, disabled, past its end, or without a password. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'limited'; readonly refusal: Refusal };

/** `email` in its normal form. Rejects with `HasherBusy`; that try is not counted as a failure. */
export type ConfirmPassword = (email: string, password: string, origin: RequestOrigin) => Promise<ConfirmedPassword>;

/**
 * Compares the password of an account: limits, count, compare. Each refused try does the same: one count, one comparison, with a decoy where
 * there is no account, and nothing else before the answer.
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
    // Over how many accounts an address fails decides what it is called; see `createSecurityDetectors`.
    report({ kind: 'password-guessing', origin, target: email });
    background.run(() => limits.signInFailed(guesser));
    if (candidate !== undefined && candidate.failures >= accountLock.limit) lock(candidate, origin);
    return { kind: 'refused' };
  };

  async function compare(candidate: SignInCandidate | undefined, password: string): Promise<boolean> {
    try {
      return await hasher.verify(password, candidate?.passwordHash ?? hasher.decoy);
    } catch (error) {
      // It was never compared, so it is no failure.
      if (candidate !== undefined) background.run(() => uncountSignIn(database, candidate.id, accountLock));
      throw error;
    }
  }

  /** The count has locked it already; here it is written down, after the answer, which must not take longer for it. */
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
