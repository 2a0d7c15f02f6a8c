import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import { deletePasskeysOf } from './passkeys.ts';
import { deleteRecoveryCodes } from './recovery-codes.ts';
import { deleteTotpSecret } from './totp-secrets.ts';

/** Which second factors an account has. */
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

/** Recovery codes are no factor of their own: they stand in for one. */
export function hasSecondFactor({ totp, passkeys }: Pick<SecondFactors, 'totp' | 'passkeys'>): boolean {
  return totp || passkeys > 0;
}

/** Removes all second factors of an account with its recovery codes. */
export async function deleteSecondFactors(db: Db, userId: string): Promise<void> {
  await deleteTotpSecret(db, userId);
  await deletePasskeysOf(db, userId);
  await deleteRecoveryCodes(db, userId);
}
