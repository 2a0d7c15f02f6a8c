import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Columns } from '../filter/filter-sql.ts';
import type { ListPart } from './scim-users.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    scimGroups: ScimGroupsTable;
  }
}

/** SCIM attributes of a group in addition to those of its team. */
export interface ScimGroupsTable {
  teamId: string;
  /** Spelling of the provider; team names have a restricted format. */
  displayName: string;
  externalId: string | null;
}

export interface ScimGroupRow {
  readonly id: string;
  readonly displayName: string;
  readonly externalId: string | null;
  readonly created: Date;
  readonly lastModified: Date;
  readonly members: readonly { readonly id: string; readonly name: string }[];
}

const DISPLAY_NAME = sql<string>`coalesce(scim_groups.display_name, teams.name)`;
const hasMember = (condition: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (SELECT FROM team_members WHERE team_members.team_id = teams.id AND ${condition})`;
const members = {
  type: 'ids',
  has: (id: string) => hasMember(sql`team_members.user_id::text = ${id}`),
  any: hasMember(sql`true`),
} as const;

/** Columns by which groups are filtered and sorted. */
export const GROUP_COLUMNS: Columns = {
  id: { type: 'text', sql: sql`teams.id`, exact: true },
  displayname: { type: 'text', sql: DISPLAY_NAME },
  externalid: { type: 'text', sql: sql`scim_groups.external_id`, exact: true },
  members,
  'members.value': members,
  'meta.created': { type: 'time', sql: sql`teams.created_at` },
  'meta.lastmodified': { type: 'time', sql: sql`teams.updated_at` },
};

const FROM = sql`teams LEFT JOIN scim_groups ON scim_groups.team_id = teams.id`;

export async function listScimGroups(
  db: Db,
  { where, order, limit, offset }: ListPart,
): Promise<{ rows: ScimGroupRow[]; total: number }> {
  const rows = await selectGroups(db, sql`${where} ORDER BY ${order}, teams.id LIMIT ${limit} OFFSET ${offset}`);
  const { rows: counted } = await sql<{ total: number }>`
    SELECT count(*)::int AS total FROM ${FROM} WHERE ${where}`.execute(db);
  return { rows, total: counted[0]?.total ?? 0 };
}

export async function findScimGroup(db: Db, id: string): Promise<ScimGroupRow | undefined> {
  const [row] = await selectGroups(db, sql`teams.id = ${id}`);
  return row;
}

async function selectGroups(db: Db, rest: RawBuilder<unknown>): Promise<ScimGroupRow[]> {
  const { rows } = await sql<ScimGroupRow>`
    SELECT teams.id, ${DISPLAY_NAME} AS display_name, scim_groups.external_id,
      teams.created_at AS created, teams.updated_at AS last_modified,
      coalesce((
        SELECT json_agg(json_build_object('id', users.id, 'name', users.username) ORDER BY lower(users.username))
        FROM team_members JOIN users ON users.id = team_members.user_id
          LEFT JOIN scim_users ON scim_users.user_id = users.id
        WHERE team_members.team_id = teams.id AND scim_users.deleted_at IS NULL
      ), '[]'::json) AS members
    FROM ${FROM} WHERE ${rest}`.execute(db);
  return rows;
}

export async function putScimGroup(
  transaction: Db,
  { teamId, displayName, externalId }: ScimGroupsTable,
): Promise<void> {
  await transaction
    .insertInto('scimGroups')
    .values({ teamId, displayName, externalId })
    .onConflict((conflict) => conflict.column('teamId').doUpdateSet({ displayName, externalId }))
    .execute();
}

/** True if another group has this name, ignoring case. */
export async function isGroupName(transaction: Db, displayName: string, teamId: string | undefined): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM ${FROM} WHERE lower(${DISPLAY_NAME}) = lower(${displayName})
      AND teams.id IS DISTINCT FROM ${teamId ?? null} LIMIT 1`.execute(transaction);
  return rows.length > 0;
}

/** Returns those of these ids that belong to users visible to SCIM. */
export async function existingUsers(transaction: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT users.id::text AS id FROM users LEFT JOIN scim_users ON scim_users.user_id = users.id
    WHERE users.id::text = ANY(${[...ids]}::text[]) AND scim_users.deleted_at IS NULL`.execute(transaction);
  return new Set(rows.map(({ id }) => id));
}

/** Returns those of these users that a provider manages, with the display names of their groups. */
export async function groupsOfManaged(
  db: Db,
  userIds: readonly string[],
): Promise<{ readonly id: string; readonly groups: readonly string[] }[]> {
  const { rows } = await sql<{ id: string; groups: string[] }>`
    SELECT scim_users.user_id::text AS id, coalesce(
      (SELECT array_agg(${DISPLAY_NAME}) FROM team_members JOIN ${FROM} ON teams.id = team_members.team_id
       WHERE team_members.user_id = scim_users.user_id), '{}') AS groups
    FROM scim_users WHERE scim_users.user_id::text = ANY(${[...userIds]}::text[]) AND scim_users.deleted_at IS NULL`.execute(
    db,
  );
  return rows;
}
