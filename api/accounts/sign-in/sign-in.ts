import type { Audit } from '#api/audit/port.ts';
import type { Refusal } from '#api/http/limits/refusal.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { ReportSecurityEvent } from '#api/http/security-events.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { WindowLimit } from '#api/shared-state/port.ts';
import { normalEmail } from '../email-address.ts';
import type { Hasher } from '../passwords/hasher.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.ts';
import type { Profile } from '../tables/users.ts';
import type { Background } from './background.ts';
import {
  ACCOUNT_LOCK,
  countSignIn,
  lockAccount,
  type SignInCandidate,
  uncountSignIn,
  wipeSignInFailures,
} from './sign-in-attempts.ts';
import type { SignInLimits } from './sign-in-limits.ts';

export interface SignInDeps {
  readonly database: Database;
  readonly hasher: Hasher;
  readonly limits: Pick<SignInLimits, 'signIn' | 'signedIn' | 'signInFailed'>;
  readonly sessions: Sessions;
  readonly audit: Audit;
  readonly background: Background;
  readonly report: ReportSecurityEvent;
}

export interface SignInConfig {
  /** Failed sign-ins that lock an account, and for how long. Default: 5 for 15 minutes. */
  readonly accountLock?: WindowLimit;
}

export type SignInResult =
  | { readonly kind: 'signed-in'; readonly user: Profile; readonly session: OpenedSession }
  /** Unknown, wrong, locked, disabled, past its end, or without a password: the response does not say which. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'limited'; readonly refusal: Refusal };

/** Rejects with `HasherBusy`; that try is not counted as a failure. */
export type SignIn = (email: string, password: string, origin: RequestOrigin) => Promise<SignInResult>;

/**
 * Sign-in with a password: limits, count, compare, and only then a session. Each refused try does the same: one count, one comparison, with
 * a decoy where there is no account, and nothing else before the answer.
 */
export function createSignIn(deps: SignInDeps, { accountLock = ACCOUNT_LOCK }: SignInConfig = {}): SignIn {
  const { database, hasher, limits, sessions, audit, background, report } = deps;

  return async (address, password, origin) => {
    const email = normalEmail(address);
    const guesser = { ip: origin.ip, email };
    const refusal = await limits.signIn(guesser);
    if (refusal !== undefined) {
      if (refusal.code === 'rate_limited') report({ kind: 'password-guessing', origin, target: email });
      return { kind: 'limited', refusal };
    }
    const candidate = await countSignIn(database, email, accountLock);
    const matches = await compare(candidate, password);
    if (candidate === undefined || !matches) {
      // Over how many accounts an address fails decides what it is called; see `createSecurityDetectors`.
      report({ kind: 'password-guessing', origin, target: email });
      background.run(() => limits.signInFailed(guesser));
      if (candidate !== undefined && candidate.failures >= accountLock.limit) lock(candidate, origin);
      return { kind: 'refused' };
    }
    const opened = await open(candidate, origin);
    if (opened === undefined) return { kind: 'refused' };
    await limits.signedIn(guesser);
    return { kind: 'signed-in', ...opened };
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

  function open(candidate: SignInCandidate, origin: RequestOrigin) {
    return inTransaction(database, async (transaction) => {
      const user = await wipeSignInFailures(transaction, candidate);
      if (user === undefined) return undefined;
      const session = await sessions.open(transaction, user, origin);
      await audit.record(transaction, {
        actor: `user:${user.id}`,
        target: `session:${session.sessionId}`,
        action: 'session.create',
        diff: { by: { after: 'password' } },
        origin,
      });
      return { user, session };
    });
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
