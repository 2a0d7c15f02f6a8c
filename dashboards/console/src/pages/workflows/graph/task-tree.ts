import type { WorkflowTask } from '../queries.ts';

/** A task of a workflow with the tasks inside it. */
export interface Task extends WorkflowTask {
  /** Lists of tasks inside it. Each branch of a fork is a list with one task. */
  readonly lists: readonly TaskList[];
}

export interface TaskList {
  readonly role: string;
  readonly tasks: readonly Task[];
}

/** Returns the tree of the listed tasks, in order. */
export function taskTree(tasks: readonly WorkflowTask[]): readonly Task[] {
  const byParent = Map.groupBy(tasks, ({ parent }) => parent);
  const treeOf = (task: WorkflowTask): Task => {
    const inner = (byParent.get(task.path) ?? []).map(treeOf);
    const lists =
      task.flow === 'parallel' ? inner.map((one) => [one]) : [...Map.groupBy(inner, ({ role }) => role).values()];
    return { ...task, lists: lists.map((list) => ({ role: list[0]?.role ?? '', tasks: list })) };
  };
  return (byParent.get(null) ?? []).map(treeOf);
}
