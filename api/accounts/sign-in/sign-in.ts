import type { Audit } from '#api/audit/port.ts';
import type { Refusal } from '#api/http/limits/refusal.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { normalEmail } from '../email-address.ts';
import type { OpenedPendingSignIn, OpenSignIn } from '../second-factor/open-sign-in.ts';
import type { OpenedSession } from '../sessions/sessions.ts';
import type { Profile } from '../tables/users.ts';
import type { ConfirmPassword } from './confirm-password.ts';
import { type SignInCandidate, wipeSignInFailures } from './sign-in-attempts.ts';
import type { SignInLimits } from './sign-in-limits.ts';

export interface SignInDeps {
  readonly database: Database;
  readonly confirmPassword: ConfirmPassword;
  readonly limits: Pick<SignInLimits, 'signedIn'>;
  readonly openSignIn: OpenSignIn;
  readonly audit: Audit;
}

export type SignInResult =
  | { readonly kind: 'signed-in'; readonly user: Profile; readonly session: OpenedSession }
  /** The password is correct, and the account needs a second factor. */
  | { readonly kind: 'second-step'; readonly pending: OpenedPendingSignIn }
  /**
   * The account is unknown, locked, disabled, past its end date or without a password, or the password is wrong. The
   * response does not reveal which.
   */
  | { readonly kind: 'refused' }
  | { readonly kind: 'limited'; readonly refusal: Refusal };

/** Rejects with `HasherBusy`; the attempt is then not counted as a failure. */
export type SignIn = (email: string, password: string, origin: RequestOrigin) => Promise<SignInResult>;

/**
 * Signs in with a password that `confirmPassword` accepts: opens a session, or a sign-in that waits for a second
 * factor. The counters of the e-mail address are reset when the sign-in is complete.
 */
export function createSignIn(deps: SignInDeps): SignIn {
  const { database, confirmPassword, limits, openSignIn, audit } = deps;

  return async (address, password, origin) => {
    const email = normalEmail(address);
    const confirmed = await confirmPassword(email, password, origin);
    if (confirmed.kind !== 'confirmed') return confirmed;
    const opened = await open(confirmed.account, origin);
    if (opened === undefined) return { kind: 'refused' };
    if (opened.kind === 'signed-in') await limits.signedIn({ ip: origin.ip, email });
    return opened;
  };

  function open(candidate: SignInCandidate, origin: RequestOrigin) {
    return inTransaction(database, async (transaction): Promise<SignInResult | undefined> => {
      const user = await wipeSignInFailures(transaction, candidate);
      if (user === undefined) return undefined;
      const opened = await openSignIn(transaction, user, { method: 'password' }, origin);
      if (opened.kind === 'second-step') return opened;
      const { session } = opened;
      await audit.record(transaction, {
        actor: `user:${user.id}`,
        target: `session:${session.sessionId}`,
        action: 'session.create',
        diff: { by: { after: 'password' } },
        origin,
      });
      return { kind: 'signed-in', user, session };
    });
  }
}
