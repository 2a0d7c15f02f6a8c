import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

/** Returns the ids of users with these names, ignoring case, by lower-case name. */
export async function usersByName(db: Db, usernames: readonly string[]): Promise<Map<string, string>> {
  if (usernames.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', sql<string>`lower(username)`.as('name')])
    .where(sql<boolean>`lower(username) = ANY(${usernames.map((name) => name.toLowerCase())}::text[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}
