import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    secretFingerprints: SecretFingerprintsTable;
  }
}

export interface SecretFingerprintsTable {
  /** The setting, such as AUTH_SECRET. */
  name: string;
  salt: Buffer;
  /** See `api/accounts/secrets/fingerprint.ts`. */
  hash: Buffer;
  recordedAt: Generated<Date>;
}
export type SecretFingerprintRow = Pick<Selectable<SecretFingerprintsTable>, 'name' | 'salt' | 'hash'>;

export function findSecretFingerprint(db: Db, name: string): Promise<SecretFingerprintRow | undefined> {
  return db
    .selectFrom('secretFingerprints')
    .select(['name', 'salt', 'hash'])
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Locks the row until the end of the transaction. */
export function lockSecretFingerprint(transaction: Db, name: string): Promise<SecretFingerprintRow | undefined> {
  return transaction
    .selectFrom('secretFingerprints')
    .select(['name', 'salt', 'hash'])
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst();
}

/** Inserts a fingerprint. False if the name has one, even one that a concurrent process inserted. */
export async function insertSecretFingerprint(db: Db, row: SecretFingerprintRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('secretFingerprints')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function replaceSecretFingerprint(db: Db, { name, salt, hash }: SecretFingerprintRow): Promise<void> {
  await db
    .insertInto('secretFingerprints')
    .values({ name, salt, hash })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ salt, hash, recordedAt: sql`now()` }))
    .execute();
}
