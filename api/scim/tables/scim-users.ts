import { type Generated, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Role } from '#schemas/api/roles.ts';
import type { Columns } from '../filter/filter-sql.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    scimUsers: ScimUsersTable;
  }
}

/** SCIM attributes of a user in addition to those of the account. */
export interface ScimUsersTable {
  userId: string;
  /** Unique, ignoring case. */
  userName: string;
  /** The provider's id of the user. */
  externalId: string | null;
  displayName: string | null;
  givenName: string | null;
  familyName: string | null;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
  /** When the provider deleted the user. The account is then disabled and invisible to SCIM. */
  deletedAt: Date | null;
}

/** A user as SCIM returns it. The user name of an account that no provider created is its e-mail address. */
export interface ScimUserRow
  extends Pick<Selectable<ScimUsersTable>, 'externalId' | 'displayName' | 'givenName' | 'familyName'> {
  readonly id: string;
  readonly userName: string;
  readonly email: string;
  readonly role: Role;
  readonly active: boolean;
  readonly created: Date;
  readonly lastModified: Date;
  readonly groups: readonly { readonly id: string; readonly name: string }[];
}

const ACTIVE = sql<boolean>`(NOT users.disabled AND coalesce(users.end_date > now(), true))`;
const USER_NAME = sql<string>`coalesce(scim_users.user_name, users.email)`;
const DISPLAY_NAME = sql<string>`coalesce(scim_users.display_name, users.username)`;
const LAST_MODIFIED = sql<Date>`greatest(users.updated_at, scim_users.updated_at)`;
const memberOf = (condition: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (SELECT FROM team_members WHERE team_members.user_id = users.id AND ${condition})`;
const groups = {
  type: 'ids',
  has: (id: string) => memberOf(sql`team_members.team_id = ${id}`),
  any: memberOf(sql`true`),
} as const;

/** Columns by which users are filtered and sorted. */
export const USER_COLUMNS: Columns = {
  id: { type: 'text', sql: sql`users.id::text`, exact: true },
  username: { type: 'text', sql: USER_NAME },
  externalid: { type: 'text', sql: sql`scim_users.external_id`, exact: true },
  displayname: { type: 'text', sql: DISPLAY_NAME },
  'name.givenname': { type: 'text', sql: sql`scim_users.given_name` },
  'name.familyname': { type: 'text', sql: sql`scim_users.family_name` },
  emails: { type: 'text', sql: sql`users.email` },
  'emails.value': { type: 'text', sql: sql`users.email` },
  'emails.type': { type: 'text', sql: sql`'work'` },
  'emails.primary': { type: 'boolean', sql: sql`true` },
  roles: { type: 'text', sql: sql`users.role` },
  'roles.value': { type: 'text', sql: sql`users.role` },
  active: { type: 'boolean', sql: ACTIVE },
  groups,
  'groups.value': groups,
  'meta.created': { type: 'time', sql: sql`users.created_at` },
  'meta.lastmodified': { type: 'time', sql: LAST_MODIFIED },
};

export interface ListPart {
  readonly where: RawBuilder<boolean>;
  readonly order: RawBuilder<unknown>;
  readonly limit: number;
  readonly offset: number;
}

const FROM = sql`users LEFT JOIN scim_users ON scim_users.user_id = users.id`;
const SHOWN = sql`scim_users.deleted_at IS NULL`;

export async function listScimUsers(
  db: Db,
  { where, order, limit, offset }: ListPart,
): Promise<{ rows: ScimUserRow[]; total: number }> {
  const rows = await selectUsers(db, sql`${where} ORDER BY ${order}, users.id LIMIT ${limit} OFFSET ${offset}`);
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM ${FROM} WHERE ${SHOWN} AND ${where}`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}

export async function findScimUser(db: Db, id: string): Promise<ScimUserRow | undefined> {
  const [row] = await selectUsers(db, sql`users.id::text = ${id}`);
  return row;
}

/** Returns a user and locks the account until the transaction ends. */
export async function lockScimUser(transaction: Db, id: string): Promise<ScimUserRow | undefined> {
  await sql`SELECT FROM users WHERE id::text = ${id} FOR NO KEY UPDATE`.execute(transaction);
  return findScimUser(transaction, id);
}

async function selectUsers(db: Db, rest: RawBuilder<unknown>): Promise<ScimUserRow[]> {
  const { rows } = await sql<ScimUserRow>`
    SELECT users.id::text AS id, ${USER_NAME} AS user_name, users.email, users.role, ${ACTIVE} AS active,
      scim_users.external_id, ${DISPLAY_NAME} AS display_name, scim_users.given_name, scim_users.family_name,
      users.created_at AS created, ${LAST_MODIFIED} AS last_modified,
      coalesce((
        SELECT json_agg(json_build_object('id', teams.id, 'name', coalesce(scim_groups.display_name, teams.name)) ORDER BY teams.name)
        FROM team_members JOIN teams ON teams.id = team_members.team_id
          LEFT JOIN scim_groups ON scim_groups.team_id = teams.id
        WHERE team_members.user_id = users.id
      ), '[]'::json) AS groups
    FROM ${FROM} WHERE ${SHOWN} AND ${rest}`.execute(db);
  return rows;
}

/** Returns the account with this address (lower case), even if it is invisible to SCIM. Locks it until the transaction ends. */
export async function findByEmail(
  transaction: Db,
  email: string,
): Promise<{ readonly id: string; readonly deleted: boolean } | undefined> {
  const { rows } = await sql<{ id: string; deleted: boolean }>`
    SELECT users.id::text AS id, scim_users.deleted_at IS NOT NULL AS deleted FROM ${FROM}
    WHERE users.email = ${email} FOR NO KEY UPDATE OF users`.execute(transaction);
  return rows[0];
}

/** Stores the SCIM attributes of a user. Rejects with a violation of `scim_users_user_name_key` if the name is taken. */
export async function putScimUser(
  transaction: Db,
  user: Pick<ScimUsersTable, 'userId' | 'userName' | 'externalId' | 'displayName' | 'givenName' | 'familyName'>,
): Promise<void> {
  const { userId, ...values } = user;
  const change = { ...values, deletedAt: null, updatedAt: sql<Date>`now()` };
  await transaction
    .insertInto('scimUsers')
    .values({ userId, ...change })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(change))
    .execute();
}

/** Hides a user from SCIM, and ends its group memberships. The name becomes available to other users. */
export async function markScimUserDeleted(transaction: Db, userId: string): Promise<void> {
  await sql`DELETE FROM team_members WHERE user_id = ${userId}::uuid`.execute(transaction);
  const change = { userName: `deleted:${userId}`, externalId: null, deletedAt: sql<Date>`now()` };
  await transaction
    .insertInto('scimUsers')
    .values({ userId, displayName: null, givenName: null, familyName: null, ...change })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(change))
    .execute();
}

/** True if this name is the e-mail address of another account. */
export async function isNameOfAnother(transaction: Db, userName: string, userId: string | undefined): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM ${FROM} WHERE ${SHOWN} AND lower(${USER_NAME}) = lower(${userName})
      AND users.id::text IS DISTINCT FROM ${userId ?? null} LIMIT 1`.execute(transaction);
  return rows.length > 0;
}
