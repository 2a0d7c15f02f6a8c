import { type ColumnType, type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { TemplateBody } from '#schemas/api/cases.ts';
import type { Severity } from '#schemas/detection.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    caseTemplates: CaseTemplatesTable;
  }
}

export interface CaseTemplatesTable {
  /** `tpl_` and 32 hexadecimal digits. */
  id: string;
  /** Unique, ignoring case. */
  name: string;
  version: Generated<number>;
  title: string;
  severity: Severity;
  /** Titles of tasks, in order. */
  tasks: ColumnType<string[], string, string>;
  changedAt: Generated<Date>;
  changedBy: string;
}
export type CaseTemplate = Selectable<CaseTemplatesTable>;

export function listTemplates(db: Db): Promise<CaseTemplate[]> {
  return db.selectFrom('caseTemplates').selectAll().orderBy('name').execute();
}

export function findTemplate(db: Db, id: string): Promise<CaseTemplate | undefined> {
  return db.selectFrom('caseTemplates').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Returns a template, locked until the end of the transaction. */
export function lockTemplate(transaction: Db, id: string): Promise<CaseTemplate | undefined> {
  return transaction.selectFrom('caseTemplates').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** Adds a template. Rejects with a violation of `case_templates_name` if the name is taken. */
export function insertTemplate(
  transaction: Db,
  id: string,
  { tasks, ...body }: TemplateBody,
  changedBy: string,
): Promise<CaseTemplate> {
  return transaction
    .insertInto('caseTemplates')
    .values({ id, ...body, tasks: JSON.stringify(tasks), changedBy })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Replaces a template. Rejects with a violation of `case_templates_name` if the name is taken. */
export function replaceTemplate(
  transaction: Db,
  id: string,
  { tasks, ...body }: TemplateBody,
  changedBy: string,
): Promise<CaseTemplate> {
  return transaction
    .updateTable('caseTemplates')
    .set(({ eb, ref }) => ({
      ...body,
      tasks: JSON.stringify(tasks),
      version: eb(ref('version'), '+', 1),
      changedAt: sql<Date>`clock_timestamp()`,
      changedBy,
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteTemplate(transaction: Db, id: string): Promise<void> {
  await transaction.deleteFrom('caseTemplates').where('id', '=', id).execute();
}
