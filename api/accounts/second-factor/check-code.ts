import type { Db } from '#api/postgres/database.ts';
import { takeRecoveryCode } from '../tables/recovery-codes.ts';
import { findTotpSecret, type TotpSecret, takeTotpStep } from '../tables/totp-secrets.ts';
import { normalRecoveryCode, recoveryCodeHash } from './recovery-code.ts';
import { totpStep } from './totp.ts';

/** Encrypts what has to be read again, with the secrets of the installation. */
export interface Seal {
  /** `context` says what it is and whose: the same bytes elsewhere can't be opened. */
  seal(text: string, context: string): Buffer;
  /** Undefined for what none of the secrets sealed in this context. */
  open(sealed: Buffer, context: string): string | undefined;
}

export type CodeKind = 'totp' | 'recovery-code';

/** Uses a code of an account up; undefined when it is wrong or was used. The caller counts the try. */
export type CheckCode = (db: Db, userId: string, code: string) => Promise<CodeKind | undefined>;

/** What the encryption of a secret is bound to. */
export function totpContext(userId: string): string {
  return `totp:${userId}`;
}

/** Accepts the codes of the authenticator app and the recovery codes of an account, each once. */
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

/** Uses a code of this secret up; false when it is wrong or was used, or the secret cannot be decrypted. */
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
