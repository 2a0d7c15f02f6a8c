import { type ColumnType, type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    ruleSettings: RuleSettingsTable;
    detectionSettingsHead: DetectionSettingsHeadTable;
  }
}

/** Settings of a rule that an administrator changed. Other settings are those of the rules file, or the defaults. */
export interface RuleSettingsTable {
  rule: string;
  /** Increases by one with every change. */
  version: number;
  settings: ColumnType<Record<string, unknown>, string, string>;
  changedAt: Generated<Date>;
  changedBy: string;
}
export type RuleSettingsRow = Selectable<RuleSettingsTable>;

/** A single row whose version increases with every change of a rule or an exception. Processes poll it to detect changes. */
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

/**
 * Replaces the stored settings of a rule. The caller must hold the lock of the head row, so that `version` is one above
 * the stored version.
 */
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

/** Serialises changes of rules and exceptions. Holds the lock until the end of the transaction. */
export async function lockSettings(transaction: Db): Promise<void> {
  await transaction.selectFrom('detectionSettingsHead').select('version').forUpdate().execute();
}

/** Increases the settings version. All processes see the change when the transaction commits. */
export async function growSettingsVersion(transaction: Db): Promise<void> {
  await transaction.updateTable('detectionSettingsHead').set({ version: sql`version + 1` }).execute();
}

export async function settingsVersion(db: Db): Promise<number> {
  const { version } = await db.selectFrom('detectionSettingsHead').select('version').executeTakeFirstOrThrow();
  return version;
}
