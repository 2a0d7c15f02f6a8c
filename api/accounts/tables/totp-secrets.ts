import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    totpSecrets: TotpSecretsTable;
  }
}

/** The secret that an authenticator app of a user shares with this server. */
export interface TotpSecretsTable {
  userId: string;
  /** Encrypted; see `Seal`. */
  secret: Buffer;
  createdAt: Generated<Date>;
  /** Null: the user has not yet entered one of its codes, and it is not accepted. */
  confirmedAt: Generated<Date | null>;
  /** Time step of the last accepted code. Codes of this step and of earlier steps are rejected. */
  lastStep: Generated<number>;
}

export type TotpSecret = Selectable<TotpSecretsTable>;

export function findTotpSecret(db: Db, userId: string): Promise<TotpSecret | undefined> {
  return db.selectFrom('totpSecrets').selectAll().where('userId', '=', userId).executeTakeFirst();
}

/** Stores an unconfirmed secret. False if the user has a confirmed one. */
export async function putTotpSecret(db: Db, userId: string, secret: Buffer): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('totpSecrets')
    .values({ userId, secret })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet({ secret, createdAt: sql<Date>`now()`, lastStep: 0 })
        .where('totpSecrets.confirmedAt', 'is', null),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/**
 * Records the step of an accepted code. False if another request used this step or a later one. Confirms an unconfirmed
 * secret.
 */
export async function takeTotpStep(db: Db, { userId, secret }: TotpSecret, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totpSecrets')
    .set({ lastStep: step, confirmedAt: sql<Date>`coalesce(confirmed_at, now())` })
    .where('userId', '=', userId)
    .where('secret', '=', secret)
    .where('lastStep', '<', step)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes the secret of a user. False if the user had no secret. */
export async function deleteTotpSecret(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('totpSecrets').where('userId', '=', userId).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
