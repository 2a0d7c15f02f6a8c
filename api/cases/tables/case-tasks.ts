import { type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    caseTasks: CaseTasksTable;
  }
}

export interface CaseTasksTable {
  /** `task_` and 32 hexadecimal digits. */
  id: string;
  caseId: string;
  position: number;
  title: string;
  assignee: string | null;
  done: Generated<boolean>;
}
export type CaseTask = Selectable<CaseTasksTable>;

export function tasksOfCase(db: Db, caseId: string): Promise<CaseTask[]> {
  return db.selectFrom('caseTasks').selectAll().where('caseId', '=', caseId).orderBy('position').execute();
}

export function findTask(db: Db, caseId: string, id: string): Promise<CaseTask | undefined> {
  return db.selectFrom('caseTasks').selectAll().where('caseId', '=', caseId).where('id', '=', id).executeTakeFirst();
}

/** Adds tasks at the end. The case must be locked. */
export async function insertTasks(
  transaction: Db,
  caseId: string,
  tasks: readonly Pick<CaseTask, 'id' | 'title' | 'assignee'>[],
): Promise<void> {
  if (tasks.length === 0) return;
  const { last } = await transaction
    .selectFrom('caseTasks')
    .select(sql<number>`coalesce(max(position), 0)`.as('last'))
    .where('caseId', '=', caseId)
    .executeTakeFirstOrThrow();
  await transaction
    .insertInto('caseTasks')
    .values(tasks.map((task, index) => ({ ...task, caseId, position: last + index + 1 })))
    .execute();
}

export async function saveTask(transaction: Db, { id, title, assignee, done }: CaseTask): Promise<void> {
  await transaction.updateTable('caseTasks').set({ title, assignee, done }).where('id', '=', id).execute();
}

export async function deleteTask(transaction: Db, id: string): Promise<void> {
  await transaction.deleteFrom('caseTasks').where('id', '=', id).execute();
}
