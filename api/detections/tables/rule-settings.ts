import { type ColumnType, type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    ruleSettings: RuleSettingsTable;
    detectionSettingsHead: DetectionSettingsHeadTable;
  }
}

/** What an administrator has set of a rule; what is not in `settings` is as the rules file says, else the default. */
export interface RuleSettingsTable {
  rule: string;
  /** Grows by one with every change. */
  version: number;
  settings: ColumnType<Record<string, unknown>, string, string>;
  changedAt: Generated<Date>;
  changedBy: string;
}
export type RuleSettingsRow = Selectable<RuleSettingsTable>;

/** One row whose version grows with every change of a rule or an exception: what processes look at to know whether to read. */
export interface DetectionSettingsHeadTable {
  one: Generated<boolean>;
  version: Generated<number>;
}

export function listRuleSettings(db: Db): Promise<RuleSettingsRow[]> {
  return db.selectFrom('ruleSettings').selectAll().orderBy('rule').execute();
}

export function findRuleSettings(db: Db, rule: string): Promise<RuleSettingsRow | undefined> {
  return db.selectFrom('ruleSettings').selectAll().where('rule', '=', rule).executeTakeFirst();
}

/** Replaces what is set of a rule. The caller holds the head, so `version` is one above the one that stands. */
export async function saveRuleSettings(
  transaction: Db,
  row: {
    readonly rule: string;
    readonly version: number;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly changedBy: string;
  },
): Promise<void> {
  const values = { ...row, settings: JSON.stringify(row.settings) };
  await transaction
    .insertInto('ruleSettings')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('rule').doUpdateSet({
        version: values.version,
        settings: values.settings,
        changedBy: values.changedBy,
        changedAt: sql`now()`,
      }),
    )
    .execute();
}

/** One change of rules or exceptions at a time: held until the end of the transaction. */
export async function lockSettings(transaction: Db): Promise<void> {
  await transaction.selectFrom('detectionSettingsHead').select('version').forUpdate().execute();
}

/** Something changed: seen by all processes when the transaction commits. */
export async function growSettingsVersion(transaction: Db): Promise<void> {
  await transaction.updateTable('detectionSettingsHead').set({ version: sql`version + 1` }).execute();
}

export async function settingsVersion(db: Db): Promise<number> {
  const { version } = await db.selectFrom('detectionSettingsHead').select('version').executeTakeFirstOrThrow();
  return version;
}
