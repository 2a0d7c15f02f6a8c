import type { Db } from '#api/postgres/database.ts';
import { MAX_CASE_TASKS } from '#schemas/case-terms.ts';
import { CaseRefused } from './case-refused.ts';
import { afterOnly, type CaseTransactions, diffOf, entryOf } from './case-transactions.ts';
import type { CaseChangedBy } from './changed-by.ts';
import { newId } from './new-id.ts';
import { type CaseTask, deleteTask, findTask, insertTasks, saveTask, tasksOfCase } from './tables/case-tasks.ts';

export interface TaskChange {
  readonly title?: string | undefined;
  readonly assignee?: string | null | undefined;
  readonly done?: boolean | undefined;
}

/** Changes of the tasks of a case. */
export interface CaseTasks {
  addTask(id: string, task: Pick<CaseTask, 'title' | 'assignee'>, by: CaseChangedBy): Promise<CaseTask>;
  changeTask(id: string, taskId: string, change: TaskChange, by: CaseChangedBy): Promise<CaseTask>;
  removeTask(id: string, taskId: string, by: CaseChangedBy): Promise<void>;
}

export function createCaseTasks({ onCase, analyst, notices }: CaseTransactions): CaseTasks {
  return {
    async addTask(id, { title, assignee: wanted }, by) {
      const assignee = await analyst(wanted, 'assignee');
      return onCase(id, by, async (_row, transaction) => {
        if ((await tasksOfCase(transaction, id)).length >= MAX_CASE_TASKS)
          throw new CaseRefused({ code: 'full', problem: `a case has at most ${MAX_CASE_TASKS} tasks` });
        const taskId = newId('task');
        await insertTasks(transaction, id, [{ id: taskId, title, assignee }]);
        if (assignee !== null) await notices.assigned(transaction, { subjects: [id], assignee, task: title }, by);
        const result = await existingTask(transaction, id, taskId);
        const task = { id: taskId, title, assignee };
        return { entry: entryOf('task_added', { task }, 'case.task', afterOnly({ task })), result };
      });
    },

    async changeTask(id, taskId, change, by) {
      const assignee = change.assignee == null ? change.assignee : await analyst(change.assignee, 'assignee');
      return onCase(id, by, async (_row, transaction) => {
        const task = await existingTask(transaction, id, taskId);
        const { title = task.title, done = task.done } = change;
        const now = { ...task, title, done, assignee: assignee === undefined ? task.assignee : assignee };
        const names = (['title', 'assignee', 'done'] as const).filter((name) => task[name] !== now[name]);
        if (names.length === 0) return { result: task };
        await saveTask(transaction, now);
        if (names.includes('assignee') && now.assignee !== null)
          await notices.assigned(transaction, { subjects: [id], assignee: now.assignee, task: now.title }, by);
        const before = Object.fromEntries(names.map((name) => [name, task[name]]));
        const after = Object.fromEntries(names.map((name) => [name, now[name]]));
        const data = { task: { id: taskId, title: now.title }, before, after };
        const diff = { task: { after: taskId }, ...diffOf(before, after) };
        return { entry: entryOf('task_changed', data, 'case.task', diff), result: now };
      });
    },

    removeTask: (id, taskId, by) =>
      onCase(id, by, async (_row, transaction) => {
        const { title, assignee, done } = await existingTask(transaction, id, taskId);
        await deleteTask(transaction, taskId);
        const task = { id: taskId, title, assignee, done };
        return { entry: entryOf('task_removed', { task }, 'case.task', { task: { before: task } }), result: undefined };
      }),
  };
}

async function existingTask(db: Db, caseId: string, id: string): Promise<CaseTask> {
  const task = await findTask(db, caseId, id);
  if (task === undefined) throw new CaseRefused({ code: 'not_found', what: 'task in the case' });
  return task;
}
