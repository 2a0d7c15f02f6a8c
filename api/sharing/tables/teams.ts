import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    teams: TeamsTable;
    teamMembers: TeamMembersTable;
  }
}

/** A group of users that workflows and agents are shared with, and that approves. */
export interface TeamsTable {
  /** `team_…` */
  id: string;
  /** Unique. Definitions of workflows name teams by it. */
  name: string;
  description: Generated<string>;
  createdAt: Generated<Date>;
  updatedAt: Generated<Date>;
}

export interface TeamMembersTable {
  teamId: string;
  userId: string;
  addedAt: Generated<Date>;
}

export type Team = Selectable<TeamsTable>;
export type TeamWithMembers = Team & {
  readonly members: readonly { readonly id: string; readonly username: string }[];
};

const withMembers = sql<TeamWithMembers['members']>`coalesce((
  SELECT json_agg(json_build_object('id', users.id, 'username', users.username) ORDER BY lower(users.username))
  FROM team_members JOIN users ON users.id = team_members.user_id WHERE team_members.team_id = teams.id
), '[]'::json)`;

/** By name; `userId`: only those that this user is a member of. */
export async function listTeams(
  db: Db,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  userId?: string,
): Promise<{ rows: TeamWithMembers[]; total: number }> {
  const chosen = db
    .selectFrom('teams')
    .$if(userId !== undefined, (query) =>
      query.where(sql<boolean>`id IN (SELECT team_id FROM team_members WHERE user_id = ${userId}::uuid)`),
    );
  const [rows, counted] = await Promise.all([
    chosen
      .selectAll('teams')
      .select(withMembers.as('members'))
      .orderBy(sql`lower(name)`)
      .limit(limit)
      .offset(offset)
      .execute(),
    chosen.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.total };
}

/** The names of teams that exist, of these. */
export async function existingTeams(db: Db, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('teams')
    .select(['id', 'name'])
    .where('name', '=', sql<string>`ANY(${[...names]}::text[])`)
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

export function findTeam(db: Db, id: string): Promise<TeamWithMembers | undefined> {
  return db
    .selectFrom('teams')
    .selectAll('teams')
    .select(withMembers.as('members'))
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The team, locked until the transaction ends. */
export function lockTeam(transaction: Db, id: string): Promise<Team | undefined> {
  return transaction.selectFrom('teams').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Rejects with a violation of `teams_name_key` when the name is taken. */
export async function insertTeam(transaction: Db, team: Pick<Team, 'id' | 'name' | 'description'>): Promise<void> {
  await transaction.insertInto('teams').values(team).execute();
}

/** Rejects with a violation of `teams_name_key` when the name is taken. */
export async function updateTeam(
  transaction: Db,
  id: string,
  change: Partial<Pick<Team, 'name' | 'description'>>,
): Promise<void> {
  await transaction
    .updateTable('teams')
    .set({ ...change, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** With its members and its grants. */
export async function deleteTeam(transaction: Db, id: string): Promise<void> {
  await transaction.deleteFrom('teams').where('id', '=', id).execute();
}

/** Makes these users, and no others, the members. */
export async function setMembers(transaction: Db, teamId: string, userIds: readonly string[]): Promise<void> {
  const wanted = sql<string>`ANY(${[...userIds]}::uuid[])`;
  await transaction
    .deleteFrom('teamMembers')
    .where('teamId', '=', teamId)
    .where(sql<boolean>`NOT user_id = ${wanted}`)
    .execute();
  if (userIds.length === 0) return;
  await transaction
    .insertInto('teamMembers')
    .values(userIds.map((userId) => ({ teamId, userId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Adds a user to a team, or removes them; false when that changes nothing. */
export async function setMembership(
  transaction: Db,
  teamId: string,
  userId: string,
  member: boolean,
): Promise<boolean> {
  const { rows } = member
    ? await sql`
        INSERT INTO team_members (team_id, user_id) VALUES (${teamId}, ${userId}::uuid)
        ON CONFLICT DO NOTHING RETURNING user_id`.execute(transaction)
    : await sql`
        DELETE FROM team_members WHERE team_id = ${teamId} AND user_id = ${userId}::uuid RETURNING user_id`.execute(
        transaction,
      );
  return rows.length > 0;
}
