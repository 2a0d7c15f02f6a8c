import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

/** The ids of the users that have these names, whatever the case, by the name in lower case. */
export async function usersByName(db: Db, usernames: readonly string[]): Promise<Map<string, string>> {
  if (usernames.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', sql<string>`lower(username)`.as('name')])
    .where(sql<boolean>`lower(username) = ANY(${usernames.map((name) => name.toLowerCase())}::text[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}
