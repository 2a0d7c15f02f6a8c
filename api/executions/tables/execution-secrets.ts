import { type Generated, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionSecrets: ExecutionSecretsTable;
  }
}

/** Secrets that definitions name. Names are unique per owner. */
export interface ExecutionSecretsTable {
  /** Id of a user, or `operator`. */
  owner: string;
  name: string;
  /** Encrypted and authenticated; see `seal.ts`. */
  sealed: Buffer;
  /** Hosts it may be sent to, see `maySendTo`. Null allows any host. */
  hosts: string[] | null;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

/** Listed properties of a secret. The value is never listed. */
export interface NamedSecret {
  readonly name: string;
  readonly hosts: readonly string[] | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export function listSecretNames(db: Db, owner: string): Promise<NamedSecret[]> {
  return db
    .selectFrom('executionSecrets')
    .select(['name', 'hosts', 'createdAt', 'updatedAt'])
    .where('owner', '=', owner)
    .orderBy('name')
    .execute();
}

/** Serializes transactions that add secrets of an owner, so their count stays valid. */
export async function lockSecretsOf(transaction: Db, owner: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`execution secrets of ${owner}`}, 0))`.execute(transaction);
}

/** Counts the secrets of an owner, without the one of this name. */
export async function countSecrets(db: Db, owner: string, but: string): Promise<number> {
  const { count } = await db
    .selectFrom('executionSecrets')
    .where('owner', '=', owner)
    .where('name', '!=', but)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export interface SecretRow {
  readonly owner: string;
  readonly name: string;
  readonly sealed: Buffer;
  /** If undefined, unchanged for an existing secret, and any host for a new one. */
  readonly hosts?: readonly string[] | null | undefined;
}

/** Returns the hosts of a secret, or undefined if it does not exist. */
export async function findSecretHosts(
  db: Db,
  owner: string,
  name: string,
): Promise<{ readonly hosts: readonly string[] | null } | undefined> {
  return db
    .selectFrom('executionSecrets')
    .select('hosts')
    .where('owner', '=', owner)
    .where('name', '=', name)
    .executeTakeFirst();
}

/** Inserts or replaces a secret. */
export async function putSecret(db: Db, { owner, name, sealed, hosts }: SecretRow): Promise<void> {
  const bound = hosts === undefined ? {} : { hosts: hosts === null ? null : [...hosts] };
  await db
    .insertInto('executionSecrets')
    .values({ owner, name, sealed, hosts: null, ...bound })
    .onConflict((conflict) =>
      conflict.columns(['owner', 'name']).doUpdateSet({ sealed, ...bound, updatedAt: sql<Date>`clock_timestamp()` }),
    )
    .execute();
}

/** Deletes a secret. Returns true if it existed. */
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
): Promise<{ readonly name: string; readonly sealed: Buffer; readonly hosts: string[] | null }[]> {
  return db
    .selectFrom('executionSecrets')
    .select(['name', 'sealed', 'hosts'])
    .where('owner', '=', owner)
    .where('name', '=', sql<string>`ANY(${[...names]})`)
    .execute();
}
