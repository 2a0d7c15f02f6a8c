import { createHash, randomBytes } from 'node:crypto';
import type { Audit } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Db } from '#api/postgres/database.ts';
import type { Role } from '#schemas/api/roles.ts';
import type { OpenedSession, Sessions } from '../sessions/sessions.ts';
import type { SessionOrigin } from '../tables/federated-sessions.ts';
import { insertPendingSignIn } from '../tables/pending-sign-ins.ts';
import { hasSecondFactor, secondFactorsOf } from '../tables/second-factors.ts';
import { secondStepOf } from './second-step.ts';

/** Lifetime of a sign-in that waits for its second step. */
export const PENDING_SIGN_IN_MS = 10 * 60_000;

/** The factor that the user has already proven. */
export interface FirstFactor {
  /** `password`, `set-up link`, or `provider:<id>`. */
  readonly method: string;
  /** Path of this site to open after the sign-in is complete. */
  readonly returnTo?: string;
  /** Encrypted data that the identity provider needs to end its session. */
  readonly providerSession?: Buffer | null;
  /** Account and session at the identity provider. Not set: the first factor was checked locally. */
  readonly federated?: SessionOrigin;
}

export type OpenedSignIn =
  | { readonly kind: 'session'; readonly session: OpenedSession }
  | { readonly kind: 'second-step'; readonly pending: OpenedPendingSignIn };

/** A sign-in that waits for its second step. */
export interface OpenedPendingSignIn {
  /** Value of the cookie. */
  readonly token: string;
  /** `enrol`: the account has no second factor and its role requires one. */
  readonly step: 'verify' | 'enrol';
  readonly expiresAt: Date;
}

/**
 * Opens a session or a pending sign-in after the first factor, in the transaction of the sign-in. Every sign-in uses
 * this function.
 */
export type OpenSignIn = (
  db: Db,
  user: { readonly id: string; readonly role: Role },
  first: FirstFactor,
  origin: RequestOrigin,
) => Promise<OpenedSignIn>;

export interface SecondFactorPolicy {
  /** Roles that require a second factor. */
  readonly requiredRoles: readonly Role[];
  /** Ids of providers that check a second factor themselves. */
  readonly trustedProviders: readonly string[];
}

/** No role requires a second factor; accounts with one must use it. */
export const NO_POLICY: SecondFactorPolicy = { requiredRoles: [], trustedProviders: [] };

/** Opens a session for an account that needs no second step. Otherwise stores a pending sign-in, with an audit entry. */
export function createOpenSignIn(
  { sessions, audit }: { readonly sessions: Pick<Sessions, 'open'>; readonly audit: Audit },
  { requiredRoles, trustedProviders }: SecondFactorPolicy = NO_POLICY,
): OpenSignIn {
  return async (db, user, { method, returnTo, providerSession = null, federated }, origin) => {
    const trusted = trustedProviders.some((id) => method === `provider:${id}`);
    const open = async (secondFactor: boolean): Promise<OpenedSignIn> => ({
      kind: 'session',
      session: await sessions.open(db, user, origin, { secondFactor, providerSession, federated }),
    });
    if (trusted) return open(true);
    const hasFactor = hasSecondFactor(await secondFactorsOf(db, user.id));
    const step = secondStepOf({ role: user.role, hasFactor }, requiredRoles);
    if (step === 'none') return open(false);
    const token = randomBytes(32).toString('base64url');
    const expiresAt = await insertPendingSignIn(db, {
      tokenHash: pendingTokenHash(token),
      userId: user.id,
      step,
      method,
      returnTo: returnTo ?? null,
      providerSession,
      providerSubject: federated?.subject ?? null,
      providerSid: federated?.sid ?? null,
      lifeMs: PENDING_SIGN_IN_MS,
    });
    await audit.record(db, {
      actor: `user:${user.id}`,
      target: `user:${user.id}`,
      action: 'second-factor.request',
      diff: { by: { after: method }, step: { after: step } },
      origin,
    });
    return { kind: 'second-step', pending: { token, step, expiresAt } };
  };
}

/** Returns the stored form of the token of a pending sign-in. */
export function pendingTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
