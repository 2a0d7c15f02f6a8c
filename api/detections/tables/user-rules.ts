import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    userRules: UserRulesTable;
    userRuleVersions: UserRuleVersionsTable;
  }
}

/** Rules of administrators: the current version of each, and whether it is enabled. */
export interface UserRulesTable {
  /** `user-` followed by the name. */
  id: string;
  version: number;
  /** Increases with every change, of the version or of other fields. */
  revision: number;
  enabled: boolean;
  changedAt: Generated<Date>;
  changedBy: string;
}

/** Every pushed version. The database rejects updates and deletions. */
export interface UserRuleVersionsTable {
  rule: string;
  version: number;
  source: string;
  sha256: string;
  pushedAt: Generated<Date>;
  pushedBy: string;
}

export type UserRuleRow = Selectable<UserRulesTable> & Pick<Selectable<UserRuleVersionsTable>, 'source' | 'sha256'>;
export type UserRuleVersionRow = Selectable<UserRuleVersionsTable>;

const withCurrentVersion = (db: Db) =>
  db
    .selectFrom('userRules')
    .innerJoin('userRuleVersions', (join) =>
      join
        .onRef('userRuleVersions.rule', '=', 'userRules.id')
        .onRef('userRuleVersions.version', '=', 'userRules.version'),
    )
    .selectAll('userRules')
    .select(['source', 'sha256']);

/** Lists all rules with the text of their current version, by id. */
export function listUserRules(db: Db): Promise<UserRuleRow[]> {
  return withCurrentVersion(db).orderBy('userRules.id').execute();
}

export function findUserRule(db: Db, id: string): Promise<UserRuleRow | undefined> {
  return withCurrentVersion(db).where('userRules.id', '=', id).executeTakeFirst();
}

/** Lists the newest versions of a rule, newest first. */
export function listUserRuleVersions(db: Db, rule: string, limit: number): Promise<UserRuleVersionRow[]> {
  return db
    .selectFrom('userRuleVersions')
    .selectAll()
    .where('rule', '=', rule)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute();
}

export function findUserRuleVersion(db: Db, rule: string, version: number): Promise<UserRuleVersionRow | undefined> {
  return db
    .selectFrom('userRuleVersions')
    .selectAll()
    .where('rule', '=', rule)
    .where('version', '=', version)
    .executeTakeFirst();
}

/**
 * Adds a version and makes it the current one. A new rule is enabled; an existing rule keeps its state. The caller must
 * hold the lock of the settings head.
 */
export async function appendUserRuleVersion(
  transaction: Db,
  { rule, version, source, sha256, pushedBy }: Omit<UserRuleVersionRow, 'pushedAt'>,
): Promise<void> {
  await transaction
    .insertInto('userRules')
    .values({ id: rule, version, revision: 1, enabled: true, changedBy: pushedBy })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        version,
        revision: sql`user_rules.revision + 1`,
        changedBy: pushedBy,
        changedAt: sql`now()`,
      }),
    )
    .execute();
  await transaction.insertInto('userRuleVersions').values({ rule, version, source, sha256, pushedBy }).execute();
}

export async function switchUserRule(
  transaction: Db,
  { id, enabled, changedBy }: Pick<UserRuleRow, 'id' | 'enabled' | 'changedBy'>,
): Promise<void> {
  await transaction
    .updateTable('userRules')
    .set({ enabled, changedBy, revision: sql`revision + 1`, changedAt: sql`now()` })
    .where('id', '=', id)
    .execute();
}
