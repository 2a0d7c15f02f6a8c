import type { Audit } from '#api/audit/port.ts';
import type { Refusal } from '#api/http/limits/refusal.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { ReportSecurityEvent } from '#api/http/security-events.ts';
import type { Database } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { WindowLimit } from '#api/shared-state/port.ts';
import { normalEmail } from '../email-address.ts';
import type { CreateKey, PreparedKey, PrepareKey } from '../keys/create-key.ts';
import type { Hasher } from '../passwords/hasher.ts';
import type { OneTimeCodes } from '../passwords/one-time-code.ts';
import { type PasswordWeakness, weaknessOf } from '../passwords/password-policy.ts';
import { mayRegister, type RegistrationSetting } from '../registration-setting.ts';
import { isReservedName } from '../reserved-names.ts';
import type { SignInLimits } from '../sign-in/sign-in-limits.ts';
import { CODE_TRIES, countCodeAttempt, takeOneTimeCode } from '../tables/one-time-codes.ts';
import { insertUser, type Profile } from '../tables/users.ts';

export interface RegisterDeps {
  readonly database: Database;
  readonly hasher: Pick<Hasher, 'hash'>;
  readonly limits: Pick<SignInLimits, 'verifyCode' | 'codeVerified'>;
  readonly codes: OneTimeCodes;
  readonly prepareKey: PrepareKey;
  readonly createKey: CreateKey;
  readonly audit: Audit;
  readonly report: ReportSecurityEvent;
}

export interface RegisterConfig {
  readonly registration: RegistrationSetting;
  /** Limit on attempts to enter a one-time code, within its lifetime. Default: 5 in 5 minutes. */
  readonly codeTries?: WindowLimit;
}

export interface Registration {
  readonly username: string;
  readonly email: string;
  readonly password: string;
  /** Six digits. */
  readonly otp: string;
}

export type RegisterResult =
  | { readonly kind: 'registered'; readonly user: Profile; readonly apiKey: string; readonly apiKeyId: string }
  /**
   * The code is wrong, used, expired, exhausted or missing, or the address is registered or may not register. The
   * response does not reveal which.
   */
  | { readonly kind: 'refused' }
  /** The username is taken or reserved. Reported only to a caller with the correct code, which stays valid. */
  | { readonly kind: 'username-taken' }
  | { readonly kind: 'weak-password'; readonly weakness: PasswordWeakness }
  | { readonly kind: 'limited'; readonly refusal: Refusal };

/** Rejects with `HasherBusy`. The code stays valid then. */
export type Register = (wanted: Registration, origin: RequestOrigin) => Promise<RegisterResult>;

/** Label of the first key. */
const FIRST_KEY = 'default';

/** Creates an account with a first key for a caller who proves an address with its code. */
export function createRegister(deps: RegisterDeps, { registration, codeTries = CODE_TRIES }: RegisterConfig): Register {
  const { database, hasher, limits, codes, audit, report } = deps;

  return async (wanted, origin) => {
    const email = normalEmail(wanted.email);
    const weakness = weaknessOf(wanted.password, { username: wanted.username, email });
    if (weakness !== undefined) return { kind: 'weak-password', weakness };
    const guesser = { ip: origin.ip, email };
    const refusal = await limits.verifyCode(guesser);
    if (refusal !== undefined) {
      if (refusal.code === 'rate_limited') report({ kind: 'code-guessing', origin, target: email });
      return { kind: 'limited', refusal };
    }
    const stored = await countCodeAttempt(database, email, codeTries.limit);
    if (stored === undefined || !codes.matches(email, wanted.otp, stored) || !mayRegister(registration, email)) {
      report({ kind: 'code-guessing', origin, target: email });
      return { kind: 'refused' };
    }
    if (isReservedName(wanted.username)) return { kind: 'username-taken' };
    // Computed before the transaction, which must not wait for hashes.
    const made = await Promise.all([hasher.hash(wanted.password), deps.prepareKey()]);
    const result = await create({ ...wanted, email }, stored, made, origin);
    if (result.kind === 'registered') await limits.codeVerified(guesser);
    return result;
  };

  async function create(
    { username, email }: Registration,
    codeHash: Buffer,
    [passwordHash, preparedKey]: readonly [string, PreparedKey],
    origin: RequestOrigin,
  ): Promise<RegisterResult> {
    try {
      return await inTransaction(database, async (transaction): Promise<RegisterResult> => {
        if (!(await takeOneTimeCode(transaction, email, codeHash))) return { kind: 'refused' };
        const user = await insertUser(transaction, { username, email, passwordHash, emailVerified: true });
        const key = await deps.createKey(transaction, { userId: user.id, label: FIRST_KEY }, preparedKey);
        const actor = `user:${user.id}`;
        const diff = { username: { after: username }, email: { after: email }, role: { after: user.role } };
        await audit.record(transaction, { actor, target: actor, action: 'user.register', diff, origin });
        await audit.record(transaction, {
          actor,
          target: `key:${key.keyId}`,
          action: 'key.create',
          diff: { label: { after: FIRST_KEY }, scopes: { after: key.scopes } },
          origin,
        });
        return { kind: 'registered', user, apiKey: key.apiKey, apiKeyId: key.keyId };
      });
    } catch (error) {
      const taken = violatedUnique(error);
      if (taken === undefined) throw error;
      return { kind: taken === 'users_username_key' ? 'username-taken' : 'refused' };
    }
  }
}
