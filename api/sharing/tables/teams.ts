import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    teams: TeamsTable;
    teamMembers: TeamMembersTable;
  }
}

/** A group of users to which workflows and agents are granted, and which can be an approver. */
export interface TeamsTable {
  /** `team_…` */
  id: string;
  /** Unique. Workflow definitions refer to teams by name. */
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

/** Lists teams by name. `userId`: only teams of which this user is a member. */
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

/** Returns those of these team names that exist. */
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

/** Returns the team, locked until the transaction ends. */
export function lockTeam(transaction: Db, id: string): Promise<Team | undefined> {
  return transaction.selectFrom('teams').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Adds a team. Rejects with a violation of `teams_name_key` if the name is taken. */
export async function insertTeam(transaction: Db, team: Pick<Team, 'id' | 'name' | 'description'>): Promise<void> {
  await transaction.insertInto('teams').values(team).execute();
}

/** Changes a team. Rejects with a violation of `teams_name_key` if the name is taken. */
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

/** Deletes a team with its members and grants. */
export async function deleteTeam(transaction: Db, id: string): Promise<void> {
  await transaction.deleteFrom('teams').where('id', '=', id).execute();
}

/** Replaces the members of a team. */
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

/** Adds a user to a team, or removes them. False if nothing changed. */
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
