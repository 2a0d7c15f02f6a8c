import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Role } from '#schemas/api/roles.ts';
import type { UnitKind } from '../conditions.ts';
import type { Permission } from '../permissions.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    automationGrants: AutomationGrantsTable;
  }
}

/** A permission on one workflow or agent, for one user, one team, or all users with a role. */
export interface AutomationGrantsTable {
  /** `grant_…` */
  id: string;
  workflowId: string | null;
  agentId: string | null;
  userId: string | null;
  teamId: string | null;
  role: Role | null;
  permission: Permission;
  /** See `actorOf`. */
  createdBy: string;
  createdAt: Generated<Date>;
}

export type Grant = Selectable<AutomationGrantsTable>;
export type GrantWithNames = Grant & { readonly username: string | null; readonly teamName: string | null };

/** The subject of a grant: exactly one of the three is set. */
export type GrantSubject = Pick<Grant, 'userId' | 'teamId' | 'role'>;

/** The workflow or agent of a grant. */
export interface Granted {
  readonly kind: UnitKind;
  readonly id: string;
}

function onUnit({ kind, id }: Granted): Pick<Grant, 'workflowId' | 'agentId'> {
  return { workflowId: kind === 'workflow' ? id : null, agentId: kind === 'agent' ? id : null };
}

/** Lists all grants of a workflow or agent, oldest first. */
export function listGrants(db: Db, unit: Granted): Promise<GrantWithNames[]> {
  return db
    .selectFrom('automationGrants')
    .leftJoin('users', 'users.id', 'automationGrants.userId')
    .leftJoin('teams', 'teams.id', 'automationGrants.teamId')
    .selectAll('automationGrants')
    .select(['users.username', 'teams.name as teamName'])
    .where(unit.kind === 'workflow' ? 'workflowId' : 'agentId', '=', unit.id)
    .orderBy('automationGrants.createdAt')
    .orderBy('automationGrants.id')
    .execute();
}

/** Adds a grant. Undefined if it exists already. */
export function insertGrant(
  transaction: Db,
  unit: Granted,
  grant: Pick<Grant, 'id' | 'permission' | 'createdBy'> & GrantSubject,
): Promise<Grant | undefined> {
  return transaction
    .insertInto('automationGrants')
    .values({ ...grant, ...onUnit(unit) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Deletes a grant. Undefined if the workflow or agent has no such grant. */
export function deleteGrant(transaction: Db, unit: Granted, id: string): Promise<Grant | undefined> {
  return transaction
    .deleteFrom('automationGrants')
    .where('id', '=', id)
    .where(unit.kind === 'workflow' ? 'workflowId' : 'agentId', '=', unit.id)
    .returningAll()
    .executeTakeFirst();
}

/** Serialises transactions that add grants to a workflow or agent, so that their number stays within the limit. */
export async function lockGrantsOf(transaction: Db, { kind, id }: Granted): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`grants of ${kind} ${id}`}, 0))`.execute(transaction);
}

/** Returns the number of grants of a workflow or agent. */
export async function countGrants(db: Db, unit: Granted): Promise<number> {
  const { count } = await db
    .selectFrom('automationGrants')
    .select(sql<number>`count(*)`.as('count'))
    .where(unit.kind === 'workflow' ? 'workflowId' : 'agentId', '=', unit.id)
    .executeTakeFirstOrThrow();
  return count;
}
