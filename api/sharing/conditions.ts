import { type RawBuilder, sql } from 'kysely';
import { hasRole, ROLES } from '#schemas/api/roles.ts';
import { type Action, type Permission, RULES } from './permissions.ts';
import type { Viewer } from './viewer.ts';

export type UnitKind = 'workflow' | 'agent';

/** A row of `workflows` or `agents` in a query. */
export interface UnitRow {
  readonly kind: UnitKind;
  /** Alias of the table in the query. */
  readonly alias: string;
}

/** A user in a query: a parameter, or a column of the query. */
type UserInQuery = RawBuilder<unknown>;

/**
 * Returns `mayDo` as a SQL condition: whether the viewer may perform the action on the workflow or agent of a row.
 * `starter`: column with the user who started the execution. Without it, the action must not depend on the starter.
 */
export function mayDoSql(viewer: Viewer, action: Action, unit: UnitRow, starter?: string): RawBuilder<boolean> {
  if (viewer.administrator) return sql<boolean>`true`;
  return userMaySql(sql`${viewer.userId ?? null}::uuid`, action, unit, starter);
}

/**
 * Returns the same condition for a user of the query who is not an administrator. For NULL, only what everyone may do
 * is permitted.
 */
export function userMaySql(me: UserInQuery, action: Action, unit: UnitRow, starter?: string): RawBuilder<boolean> {
  const rule = RULES[action];
  const parts = [
    ...(rule.owner ? [sql`coalesce(${sql.ref(`${unit.alias}.owner_id`)} = ${me}, false)`] : []),
    ...(rule.shared ? [sql`${sql.ref(`${unit.alias}.visibility`)} = 'shared'`] : []),
    ...(rule.starter && starter !== undefined ? [sql`coalesce(${sql.ref(starter)} = ${me}, false)`] : []),
    ...(rule.grants.length === 0 ? [] : [sql`EXISTS (${grantsSql(me, unit, rule.grants)})`]),
  ];
  return sql<boolean>`(${parts.length === 0 ? sql`false` : sql.join(parts, sql` OR `)})`;
}

/** Returns the permissions that grants give the viewer on the workflow or agent of a row, as an array. */
export function grantsOf(viewer: Viewer, unit: UnitRow): RawBuilder<Permission[]> {
  const me = sql`${viewer.userId ?? null}::uuid`;
  return sql<Permission[]>`ARRAY(${grantsSql(me, unit)})`;
}

function grantsSql(
  me: UserInQuery,
  { kind, alias }: UnitRow,
  permissions?: readonly Permission[],
): RawBuilder<unknown> {
  const those = permissions === undefined ? sql`` : sql`AND given.permission = ANY (${[...permissions]}::text[])`;
  return sql`
    SELECT DISTINCT given.permission FROM automation_grants AS given
    WHERE ${sql.ref(`given.${kind}_id`)} = ${sql.ref(`${alias}.id`)} ${those} AND ${holdsSql(me)}`;
}

/** Condition: a grant (`given`) applies to this user, by name, by team, or by role. */
function holdsSql(me: UserInQuery): RawBuilder<boolean> {
  return sql<boolean>`(
    given.user_id = ${me}
    OR given.team_id IN (SELECT team_id FROM team_members WHERE user_id = ${me})
    OR given.role = ANY (${rolesUpTo(sql`(SELECT role FROM users WHERE id = ${me})`)})
  )`;
}

/** Returns the roles that this role includes: a grant to analysts also applies to administrators. */
export function rolesUpTo(role: RawBuilder<unknown>): RawBuilder<string[]> {
  const branches = ROLES.map((held) => sql`WHEN ${held} THEN ${ROLES.filter((one) => hasRole(held, one))}::text[]`);
  return sql<string[]>`(CASE ${role} ${sql.join(branches, sql` `)} ELSE '{}'::text[] END)`;
}

/**
 * Returns the workflows and agents for whose executions a grant permits the action. Excludes those for which ownership
 * suffices.
 */
export async function grantedUnits(
  db: Parameters<RawBuilder<{ id: string }>['execute']>[0],
  viewer: Viewer,
  kinds: readonly UnitKind[],
  action: Action = 'view-execution',
): Promise<string[]> {
  const me = sql`${viewer.userId ?? null}::uuid`;
  const branches = kinds.map(
    (kind) => sql`
      SELECT unit.id FROM ${sql.table(`${kind}s`)} AS unit
      WHERE ${RULES[action].owner ? sql`unit.owner_id IS DISTINCT FROM ${me}` : sql`true`} AND unit.id IN (
        SELECT ${sql.ref(`given.${kind}_id`)} FROM automation_grants AS given
        WHERE given.permission = ANY (${[...RULES[action].grants]}::text[]) AND ${holdsSql(me)}
      )`,
  );
  if (branches.length === 0) return [];
  const { rows } = await sql<{ id: string }>`${sql.join(branches, sql` UNION ALL `)}`.execute(db);
  return rows.map(({ id }) => id);
}
