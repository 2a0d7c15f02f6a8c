import type { Audit } from '#api/audit/port.ts';
import type { SessionCaller } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import { refuseWith } from '#api/http/refuse-with.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { ReportSecurityEvent } from '#api/http/security-events.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { AnnounceEnded } from '../sessions/announce-ended.ts';
import type { ConfirmPassword } from '../sign-in/confirm-password.ts';
import { wipeSignInFailures } from '../sign-in/sign-in-attempts.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import { deleteRecoveryCodes } from '../tables/recovery-codes.ts';
import { hasSecondFactor, type SecondFactors, secondFactorsOf } from '../tables/second-factors.ts';
import { confirmSession, deleteOtherSessions, findSession, forgetSecondFactor } from '../tables/sessions.ts';
import { deleteTotpSecret } from '../tables/totp-secrets.ts';
import { lockUser } from '../tables/user-administration.ts';
import { findUser } from '../tables/users.ts';
import type { CheckCode } from './check-code.ts';
import type { Enrolment, NewTotp } from './enrolment.ts';
import type { NotifyFactorChange } from './notices.ts';
import type { SecondFactorPolicy } from './open-sign-in.ts';
import { CONFIRMATION_MS, confirmedUntil } from './second-step.ts';
import type { TryLimits } from './try-limits.ts';

/** The second factors of an account, as its owner sees them. */
export interface OwnFactors extends SecondFactors {
  /** True if the role requires one: the last factor cannot be removed. */
  readonly required: boolean;
  /** Time until which this session may change factors. Null: the user must confirm first. */
  readonly confirmedUntil: Date | null;
  /** Means of confirmation: the password, or a code if the account has no password. */
  readonly confirmBy: 'password' | 'code';
}

/** Exactly one of the fields is set. */
export interface Confirmation {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

/**
 * Functions for users to manage their own second factors. Refusals are `ApiError`s. All changes require a recently
 * confirmed session.
 */
export interface OwnFactorChanges {
  read(caller: SessionCaller): Promise<OwnFactors>;
  /** Authenticates the user of the session again. Resolves to the time until which it may change factors. */
  confirm(caller: SessionCaller, by: Confirmation, origin: RequestOrigin): Promise<Date>;
  startTotp(caller: SessionCaller): Promise<NewTotp>;
  confirmTotp(caller: SessionCaller, code: string, origin: RequestOrigin): Promise<readonly string[] | undefined>;
  removeTotp(caller: SessionCaller, origin: RequestOrigin): Promise<void>;
  createRecoveryCodes(caller: SessionCaller, origin: RequestOrigin): Promise<readonly string[]>;
  /** Throws unless the session was recently confirmed. */
  requireConfirmed(caller: SessionCaller): Promise<void>;
  /**
   * Must be called after a factor was enrolled, in the transaction that locked the account. The session then counts as
   * one with a second factor. If it is the first factor, all other sessions end.
   */
  enrolled(db: Db, caller: SessionCaller, before: SecondFactors): Promise<readonly string[]>;
  /**
   * Must be called after a factor was removed, in the transaction that locked the account. Throws if it was the last
   * one and the role requires one. With the last factor, the recovery codes are deleted, and sessions count as ones
   * without a second factor.
   */
  removed(db: Db, caller: SessionCaller): Promise<void>;
}

export interface OwnFactorDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly report: ReportSecurityEvent;
  readonly confirmPassword: ConfirmPassword;
  readonly limits: Pick<SignInLimits, 'signedIn'>;
  readonly tries: TryLimits;
  readonly checkCode: CheckCode;
  readonly enrolment: Enrolment;
  readonly notify: NotifyFactorChange;
  readonly announceEnded: AnnounceEnded;
}

/** Long: its functions share the dependencies. */
export function createOwnFactors(
  deps: OwnFactorDeps,
  { requiredRoles }: Pick<SecondFactorPolicy, 'requiredRoles'>,
): OwnFactorChanges {
  const { database, audit, report, confirmPassword, limits, tries, checkCode, enrolment, notify, announceEnded } = deps;
  const ownerOf = ({ userId, email }: SessionCaller) => ({ id: userId, email });

  async function confirmByPassword(caller: SessionCaller, password: string, origin: RequestOrigin): Promise<void> {
    const confirmed = await confirmPassword(caller.email, password, origin);
    if (confirmed.kind === 'limited') refuseWith(confirmed.refusal);
    const right = confirmed.kind === 'confirmed' && confirmed.account.id === caller.userId;
    if (!right || (await wipeSignInFailures(database, confirmed.account)) === undefined)
      throw apiError('invalid_value', 'the password is wrong, or the account is locked', 'password');
    await limits.signedIn({ ip: origin.ip, email: caller.email });
  }

  async function confirmByCode(caller: SessionCaller, code: string, origin: RequestOrigin): Promise<void> {
    refuseWith(await tries.take(caller.userId));
    const kind = await inTransaction(database, async (transaction) => {
      const checked = await checkCode(transaction, caller.userId, code);
      if (checked === 'recovery-code') await notify(transaction, ownerOf(caller), 'recovery-code-used', origin);
      return checked;
    });
    if (kind === undefined) {
      report({ kind: 'code-guessing', origin, target: caller.email });
      throw apiError('invalid_value', 'the code is wrong, has expired or was used', 'code');
    }
    await tries.succeeded(caller.userId);
  }

  async function requireConfirmed({ sessionId }: SessionCaller): Promise<void> {
    const session = await findSession(database, sessionId);
    if (confirmedUntil(session?.confirmedAt ?? null, Date.now()) === null)
      throw apiError('forbidden', 'confirm your identity first: POST /api/user/second-factor/confirm');
  }

  async function enrolled(db: Db, { userId, sessionId }: SessionCaller, before: SecondFactors) {
    await confirmSession(db, sessionId, { secondFactor: true });
    return hasSecondFactor(before) ? [] : deleteOtherSessions(db, userId, sessionId);
  }

  async function removed(db: Db, { userId, role }: SessionCaller): Promise<void> {
    if (hasSecondFactor(await secondFactorsOf(db, userId))) return;
    if (requiredRoles.includes(role))
      throw apiError('conflict', `the role ${role} needs a second factor: add another one first`);
    await deleteRecoveryCodes(db, userId);
    // A later role may require a factor. Its sessions must have one then.
    await forgetSecondFactor(db, userId);
  }

  return {
    requireConfirmed,
    enrolled,
    removed,

    async read({ userId, role, sessionId }) {
      const [factors, session, user] = await Promise.all([
        secondFactorsOf(database, userId),
        findSession(database, sessionId),
        findUser(database, userId),
      ]);
      return {
        ...factors,
        required: requiredRoles.includes(role),
        confirmedUntil: confirmedUntil(session?.confirmedAt ?? null, Date.now()),
        confirmBy: user?.passwordHash == null ? 'code' : 'password',
      };
    },

    async confirm(caller, { password, code }, origin) {
      if (password !== undefined) await confirmByPassword(caller, password, origin);
      else await confirmByCode(caller, code ?? '', origin);
      const at = await confirmSession(database, caller.sessionId, { secondFactor: false });
      return new Date(at.getTime() + CONFIRMATION_MS);
    },

    async startTotp(caller) {
      await requireConfirmed(caller);
      return enrolment.startTotp(database, ownerOf(caller));
    },

    async confirmTotp(caller, code, origin) {
      await requireConfirmed(caller);
      refuseWith(await tries.take(caller.userId));
      const { codes, ended } = await inTransaction(database, async (transaction) => {
        await lockUser(transaction, caller.userId);
        const before = await secondFactorsOf(transaction, caller.userId);
        const codes = await enrolment.confirmTotp(transaction, ownerOf(caller), code, origin);
        return { codes, ended: await enrolled(transaction, caller, before) };
      });
      await tries.succeeded(caller.userId);
      for (const sessionId of ended) await announceEnded({ sessionId });
      return codes;
    },

    async removeTotp(caller, origin) {
      await requireConfirmed(caller);
      await inTransaction(database, async (transaction) => {
        await lockUser(transaction, caller.userId);
        if (!(await deleteTotpSecret(transaction, caller.userId)))
          throw apiError('not_found', 'the account has no authenticator app');
        await removed(transaction, caller);
        await audit.record(transaction, {
          actor: `user:${caller.userId}`,
          target: `user:${caller.userId}`,
          action: 'second-factor.remove',
          diff: { factor: { before: 'totp' } },
          origin,
        });
        await notify(transaction, ownerOf(caller), 'totp-removed', origin);
      });
    },

    async createRecoveryCodes(caller, origin) {
      await requireConfirmed(caller);
      return inTransaction(database, async (transaction) => {
        await lockUser(transaction, caller.userId);
        if (!hasSecondFactor(await secondFactorsOf(transaction, caller.userId)))
          throw apiError('conflict', 'the account has no second factor that the codes could replace');
        return enrolment.replaceRecoveryCodes(transaction, ownerOf(caller), origin);
      });
    },
  };
}
