import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { deletePasskeysOf } from './passkeys.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';
import { deleteTotpSecret } from './totp-secrets.ts';

/** The enrolled second factors of an account. */
export interface SecondFactors {
  readonly totp: boolean;
  readonly passkeys: number;
  readonly recoveryCodesLeft: number;
}

export async function secondFactorsOf(db: Db, userId: string): Promise<SecondFactors> {
  const { rows } = await sql<SecondFactors>`
    SELECT
      EXISTS (SELECT FROM totp_secrets WHERE user_id = ${userId}::uuid AND confirmed_at IS NOT NULL) AS totp,
      (SELECT count(*) FROM passkeys WHERE user_id = ${userId}::uuid) AS passkeys,
      (SELECT count(*) FROM recovery_codes WHERE user_id = ${userId}::uuid AND used_at IS NULL) AS recovery_codes_left
  `.execute(db);
  return rows[0] as SecondFactors;
}

/** True if the account has a second factor. Recovery codes do not count; they only replace one. */
export function hasSecondFactor({ totp, passkeys }: Pick<SecondFactors, 'totp' | 'passkeys'>): boolean {
  return totp || passkeys > 0;
}

/** Removes all second factors of an account and its recovery codes. */
export async function deleteSecondFactors(db: Db, userId: string): Promise<void> {
  await deleteTotpSecret(db, userId);
  await deletePasskeysOf(db, userId);
  await deleteRecoveryCodes(db, userId);
}
