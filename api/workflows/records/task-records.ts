import type { z } from 'zod';
import { type TaskNode, taskTree } from '#api/executions/engine/release/task-tree.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { workflowTaskSchema } from '#schemas/api/workflows.ts';

type TaskRecord = z.input<typeof workflowTaskSchema>;

/** Returns the tasks of a definition for the API: each follows the task that contains it. */
export function taskRecords(definition: JsonValue): TaskRecord[] {
  return taskTree(definition).flatMap((task) => recordsOf(task, null, null));
}

function recordsOf(task: TaskNode, parent: string | null, role: string | null): TaskRecord[] {
  const { path, name, kind, detail = null, condition = null, next = null, flow, cases, lists } = task;
  return [
    {
      path,
      parent,
      role,
      name,
      kind,
      detail,
      condition,
      next,
      flow,
      cases: cases.map((one) => ({ name: one.name, when: one.when ?? null, next: one.next ?? null })),
    },
    ...lists.flatMap((list) => list.tasks.flatMap((inner) => recordsOf(inner, path, list.role))),
  ];
}
