import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import { refuseWith } from '#api/http/refuse-with.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { ReportSecurityEvent } from '#api/http/security-events.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { AnnounceEnded } from '../sessions/announce-ended.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import {
  deletePendingSignIn,
  findPendingSignIn,
  type PendingSignIn,
  provenByProvider,
} from '../tables/pending-sign-ins.ts';
import { hasSecondFactor, type SecondFactors, secondFactorsOf } from '../tables/second-factors.ts';
import { deleteOtherSessions } from '../tables/sessions.ts';
import { lockUsableProfile, type Profile } from '../tables/users.ts';
import type { CheckCode } from './check-code.ts';
import type { Enrolment, NewTotp } from './enrolment.ts';
import type { NotifyFactorChange } from './notices.ts';
import { pendingTokenHash } from './open-sign-in.ts';
import type { TryLimits } from './try-limits.ts';

/** A pending sign-in, as its owner sees it. */
export interface WaitingSignIn {
  readonly pending: PendingSignIn;
  readonly user: Profile;
  readonly factors: SecondFactors;
}

/** A completed sign-in. */
export interface CompletedSignIn {
  readonly user: Profile;
  readonly session: OpenedSession;
  readonly returnTo: string | null;
  /** New recovery codes of an account without any, returned only here. */
  readonly recoveryCodes?: readonly string[] | undefined;
}

/** The second step of sign-ins. `token` is the value of the cookie. Refusals are `ApiError`s. */
export interface SecondStepSignIn {
  /** Undefined if there is no such sign-in, or it has ended. */
  find(token: string | undefined): Promise<WaitingSignIn | undefined>;
  /** Completes the sign-in with a code of the authenticator app or a recovery code. */
  verifyCode(token: string | undefined, code: string, origin: RequestOrigin): Promise<CompletedSignIn>;
  /** Begins the enrolment of an authenticator app, for an account that must have a second factor. */
  startTotp(token: string | undefined): Promise<NewTotp>;
  /** Confirms the enrolment and completes the sign-in. */
  confirmTotp(token: string | undefined, code: string, origin: RequestOrigin): Promise<CompletedSignIn>;
  /** Ends the pending sign-in. */
  cancel(token: string | undefined): Promise<void>;
  /**
   * Counts an attempt, then completes the sign-in of this step with `prove`, in one transaction. An exception of
   * `prove` refuses the sign-in. `prove` resolves to the name of the factor. The first factor of an account ends all
   * its other sessions and pending sign-ins.
   */
  complete(
    token: string | undefined,
    step: PendingSignIn['step'],
    prove: (db: Db, waiting: WaitingSignIn) => Promise<Proof>,
    origin: RequestOrigin,
  ): Promise<CompletedSignIn>;
}

/** The factor that completed a second step. */
export interface Proof {
  readonly factor: 'totp' | 'recovery-code' | 'passkey';
  readonly recoveryCodes?: readonly string[] | undefined;
}

export interface SecondStepDeps {
  readonly database: Database;
  readonly sessions: Pick<Sessions, 'open'>;
  readonly audit: Audit;
  readonly limits: Pick<SignInLimits, 'signedIn'>;
  readonly tries: TryLimits;
  readonly report: ReportSecurityEvent;
  readonly checkCode: CheckCode;
  readonly enrolment: Enrolment;
  readonly notify: NotifyFactorChange;
  readonly announceEnded: AnnounceEnded;
}

/** Thrown for a wrong code, to roll back the transaction. */
class WrongCode extends Error {}

function nothingWaits() {
  return apiError('unauthorized', 'no sign-in waits for a second factor: sign in again');
}

function hasFactor() {
  return apiError('conflict', 'the account has a second factor');
}

export function createSecondStepSignIn(deps: SecondStepDeps): SecondStepSignIn {
  const { database, sessions, audit, limits, tries, report, checkCode, enrolment, notify } = deps;

  async function find(token: string | undefined): Promise<WaitingSignIn | undefined> {
    if (token === undefined) return undefined;
    const found = await findPendingSignIn(database, pendingTokenHash(token));
    return found && { ...found, factors: await secondFactorsOf(database, found.user.id) };
  }

  async function waitingFor(token: string | undefined, step: PendingSignIn['step']): Promise<WaitingSignIn> {
    const waiting = await find(token);
    if (waiting === undefined) throw nothingWaits();
    if (waiting.pending.step !== step)
      throw step === 'enrol' ? hasFactor() : apiError('conflict', 'enrol a second factor first');
    return waiting;
  }

  const complete: SecondStepSignIn['complete'] = async (token, step, prove, origin) => {
    const waiting = await waitingFor(token, step);
    const { pending, user } = waiting;
    refuseWith(await tries.take(user.id));
    try {
      const { ended, ...completed } = await inTransaction(database, async (transaction) => {
        // Locked first, as in every change of an account. Of two concurrent requests with the same cookie, only one
        // opens a session.
        const user = await lockUsableProfile(transaction, waiting.user.id);
        if (user === undefined || !(await deletePendingSignIn(transaction, pending.id))) throw nothingWaits();
        if (step === 'enrol' && hasSecondFactor(await secondFactorsOf(transaction, user.id))) throw hasFactor();
        const { factor, recoveryCodes } = await prove(transaction, { ...waiting, user });
        const proof = { secondFactor: true, ...provenByProvider(pending) };
        const session = await sessions.open(transaction, user, origin, proof);
        await audit.record(transaction, {
          actor: `user:${user.id}`,
          target: `session:${session.sessionId}`,
          action: 'session.create',
          diff: { by: { after: pending.method }, secondFactor: { after: factor } },
          origin,
        });
        // Another person with only the password may have begun sessions or sign-ins, and must not enrol a factor.
        const ended = step === 'enrol' ? await deleteOtherSessions(transaction, user.id, session.sessionId) : [];
        return { user, session, returnTo: pending.returnTo, recoveryCodes, ended };
      });
      for (const sessionId of ended) await deps.announceEnded({ sessionId });
      await tries.succeeded(user.id);
      await limits.signedIn({ ip: origin.ip, email: user.email });
      return completed;
    } catch (error) {
      if (!(error instanceof WrongCode)) throw error;
      await refused(waiting, origin);
      throw apiError('invalid_value', 'the code is wrong, has expired or was used', 'code');
    }
  };

  /** The first factor was correct and the second was wrong: another person may know the password. */
  async function refused({ user, pending }: WaitingSignIn, origin: RequestOrigin): Promise<void> {
    report({ kind: 'code-guessing', origin, target: user.email });
    await inTransaction(database, (transaction) =>
      audit.record(transaction, {
        actor: 'anonymous',
        target: `user:${user.id}`,
        action: 'second-factor.refuse',
        diff: { by: { after: pending.method } },
        origin,
      }),
    );
  }

  return {
    find,
    complete,
    verifyCode: (token, code, origin) =>
      complete(
        token,
        'verify',
        async (db, { user }) => {
          const factor = await checkCode(db, user.id, code);
          if (factor === undefined) throw new WrongCode();
          if (factor === 'recovery-code') await notify(db, user, 'recovery-code-used', origin);
          return { factor };
        },
        origin,
      ),
    startTotp: async (token) => enrolment.startTotp(database, (await waitingFor(token, 'enrol')).user),
    confirmTotp: (token, code, origin) =>
      complete(
        token,
        'enrol',
        async (db, { user }) => ({
          factor: 'totp',
          recoveryCodes: await enrolment.confirmTotp(db, user, code, origin),
        }),
        origin,
      ),
    async cancel(token) {
      const waiting = await find(token);
      if (waiting !== undefined) await deletePendingSignIn(database, waiting.pending.id);
    },
  };
}
