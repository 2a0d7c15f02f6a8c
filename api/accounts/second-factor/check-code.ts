import type { Db } from '#api/postgres/database.ts';
import type { SealedColumn } from '#api/postgres/sealed-column.ts';
import { takeRecoveryCode } from '../tables/recovery-codes.ts';
import { findTotpSecret, type TotpSecret, takeTotpStep } from '../tables/totp-secrets.ts';
import { normalRecoveryCode, recoveryCodeHash } from './recovery-code.ts';
import { totpStep } from './totp.ts';

/** Encrypts values that must be readable later, with the secrets of the installation. */
export interface Seal {
  /** Encrypts a text. `context` states its kind and owner; the ciphertext can be decrypted only with the same context. */
  seal(text: string, context: string): Buffer;
  /** Decrypts a value. Undefined if none of the secrets sealed it in this context. */
  open(sealed: Buffer, context: string): string | undefined;
}

export type CodeKind = 'totp' | 'recovery-code';

/** Consumes a code of an account. Undefined if the code is wrong or already used. The caller counts the attempt. */
export type CheckCode = (db: Db, userId: string, code: string) => Promise<CodeKind | undefined>;

/** Returns the context to which the encryption of a secret is bound. */
export function totpContext(userId: string): string {
  return `totp:${userId}`;
}

export const SEALED_TOTP_SECRETS: SealedColumn = {
  values: 'authenticator apps',
  table: 'totp_secrets',
  column: 'secret',
  key: ['user_id'],
  contextOf: ([userId = '']) => totpContext(userId),
};

/** Accepts codes of the authenticator app and recovery codes of an account, each once. */
export function createCheckCode({ seal }: { readonly seal: Seal }): CheckCode {
  return async (db, userId, code) => {
    const totp = await findTotpSecret(db, userId);
    if (totp !== undefined && totp.confirmedAt !== null && (await takeTotpCode(db, { seal }, totp, code)))
      return 'totp';
    const recovery = normalRecoveryCode(code);
    if (recovery === undefined) return undefined;
    return (await takeRecoveryCode(db, userId, recoveryCodeHash(userId, recovery))) ? 'recovery-code' : undefined;
  };
}

/** Consumes a code of this secret. False if the code is wrong or used, or the secret cannot be decrypted. */
export async function takeTotpCode(
  db: Db,
  { seal }: { readonly seal: Seal },
  totp: TotpSecret,
  code: string,
): Promise<boolean> {
  const secret = seal.open(totp.secret, totpContext(totp.userId));
  if (secret === undefined) return false;
  const step = totpStep(secret, code.replaceAll(/\s/g, ''), { nowMs: Date.now(), lastStep: totp.lastStep });
  return step !== undefined && (await takeTotpStep(db, totp, step));
}
