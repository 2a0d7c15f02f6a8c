import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionSecrets: ExecutionSecretsTable;
  }
}

/** Secrets that definitions name; names are unique per owner. */
export interface ExecutionSecretsTable {
  /** The id of a user, or `operator`. */
  owner: string;
  name: string;
  /** Encrypted and authenticated; see `seal.ts`. */
  sealed: Buffer;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

/** All that is ever listed of a secret. */
export interface NamedSecret {
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function listSecretNames(db: Db, owner: string): Promise<NamedSecret[]> {
  return db
    .selectFrom('executionSecrets')
    .select(['name', 'createdAt', 'updatedAt'])
    .where('owner', '=', owner)
    .orderBy('name')
    .execute();
}

/** Lets one transaction at a time add secrets of an owner, so that counting them holds. */
export async function lockSecretsOf(transaction: Db, owner: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`execution secrets of ${owner}`}, 0))`.execute(transaction);
}

/** How many the owner has, but for the one of this name. */
export async function countSecrets(db: Db, owner: string, but: string): Promise<number> {
  const { count } = await db
    .selectFrom('executionSecrets')
    .where('owner', '=', owner)
    .where('name', '!=', but)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Sets it, and replaces an earlier value; true when there was no earlier one. */
export async function putSecret(
  db: Db,
  { owner, name, sealed }: { readonly owner: string; readonly name: string; readonly sealed: Buffer },
): Promise<boolean> {
  const { isNew } = await db
    .insertInto('executionSecrets')
    .values({ owner, name, sealed })
    .onConflict((conflict) =>
      conflict.columns(['owner', 'name']).doUpdateSet({ sealed, updatedAt: sql<Date>`clock_timestamp()` }),
    )
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirstOrThrow();
  return isNew;
}

/** True when it was there. */
export async function deleteSecret(db: Db, owner: string, name: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('executionSecrets')
    .where('owner', '=', owner)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export function readSealed(
  db: Db,
  owner: string,
  names: readonly string[],
): Promise<{ readonly name: string; readonly sealed: Buffer }[]> {
  return db
    .selectFrom('executionSecrets')
    .select(['name', 'sealed'])
    .where('owner', '=', owner)
    .where('name', '=', sql<string>`ANY(${[...names]})`)
    .execute();
}
