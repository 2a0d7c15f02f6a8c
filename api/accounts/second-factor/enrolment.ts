import type { Audit } from '#api/audit/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Db } from '#api/postgres/database.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from '../tables/recovery-codes.ts';
import { findTotpSecret, putTotpSecret } from '../tables/totp-secrets.ts';
import { type Seal, takeTotpCode, totpContext } from './check-code.ts';
import type { NotifyFactorChange } from './notices.ts';
import { newRecoveryCodes, recoveryCodeHash } from './recovery-code.ts';
import { newTotpSecret, totpUri } from './totp.ts';

/** The account for which a factor is enrolled. */
export interface FactorOwner {
  readonly id: string;
  readonly email: string;
}

/** A secret for an authenticator app. */
export interface NewTotp {
  readonly secret: string;
  readonly uri: string;
}

/** Enrols second factors, for a session or for a sign-in that requires one. Refusals are `ApiError`s. */
export interface Enrolment {
  /** Creates a secret that is invalid until one of its codes is entered. */
  startTotp(db: Db, owner: FactorOwner): Promise<NewTotp>;
  /**
   * Confirms the secret with one of its codes, in a transaction. Resolves to new recovery codes, or undefined if the
   * account has some. The caller counts the attempt.
   */
  confirmTotp(db: Db, owner: FactorOwner, code: string, origin: RequestOrigin): Promise<readonly string[] | undefined>;
  /** Creates recovery codes that replace all previous ones. */
  replaceRecoveryCodes(db: Db, owner: FactorOwner, origin: RequestOrigin): Promise<readonly string[]>;
  /** Creates recovery codes for an account without unused ones. Undefined if it has some. */
  firstRecoveryCodes(db: Db, owner: FactorOwner): Promise<readonly string[] | undefined>;
}

export interface EnrolmentDeps {
  readonly seal: Seal;
  readonly audit: Audit;
  readonly notify: NotifyFactorChange;
}

export function createEnrolment({ seal, audit, notify }: EnrolmentDeps): Enrolment {
  async function store(db: Db, { id }: FactorOwner): Promise<readonly string[]> {
    const codes = newRecoveryCodes();
    await replaceRecoveryCodes(
      db,
      id,
      codes.map((code) => recoveryCodeHash(id, code.replaceAll('-', ''))),
    );
    return codes;
  }

  async function firstRecoveryCodes(db: Db, owner: FactorOwner): Promise<readonly string[] | undefined> {
    return (await countRecoveryCodes(db, owner.id)) > 0 ? undefined : store(db, owner);
  }

  return {
    async startTotp(db, { id, email }) {
      const secret = newTotpSecret();
      if (!(await putTotpSecret(db, id, seal.seal(secret, totpContext(id)))))
        throw apiError('conflict', 'the account has an authenticator app: remove it first');
      return { secret, uri: totpUri(secret, email) };
    },

    async confirmTotp(db, owner, code, origin) {
      const { id } = owner;
      const totp = await findTotpSecret(db, id);
      if (totp === undefined || totp.confirmedAt !== null)
        throw apiError('conflict', 'no authenticator app waits for a code: start again');
      if (!(await takeTotpCode(db, { seal }, totp, code)))
        throw apiError('invalid_value', 'the code is wrong or has expired', 'code');
      const codes = await firstRecoveryCodes(db, owner);
      await audit.record(db, {
        actor: `user:${id}`,
        target: `user:${id}`,
        action: 'second-factor.enrol',
        diff: { factor: { after: 'totp' }, recoveryCodesCreated: { after: codes?.length ?? 0 } },
        origin,
      });
      await notify(db, owner, 'totp-added', origin);
      return codes;
    },

    async replaceRecoveryCodes(db, owner, origin) {
      const codes = await store(db, owner);
      await audit.record(db, {
        actor: `user:${owner.id}`,
        target: `user:${owner.id}`,
        action: 'recovery-codes.create',
        diff: { count: { after: codes.length } },
        origin,
      });
      await notify(db, owner, 'recovery-codes-created', origin);
      return codes;
    },

    firstRecoveryCodes,
  };
}
