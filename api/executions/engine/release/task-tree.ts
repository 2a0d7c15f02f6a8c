import type { JsonValue } from '../../json-value.ts';
import { get, getText, isList, isObject, type JsonObject, segment } from '../interpreter/json.ts';
import { kindOf, taskKind } from '../kind-registry.ts';
import type { InnerList, TaskCase, TaskFlow } from '../task-kind.ts';

/** A task of a definition, for lists and charts. */
export interface TaskNode {
  /** Path of its steps in executions, without loop iterations. */
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  readonly detail: string | undefined;
  /** The task is skipped unless this expression is true. */
  readonly condition: string | undefined;
  /** Name of the next task, `end` or `exit`. Undefined for the next task of the list. */
  readonly next: string | undefined;
  readonly flow: TaskFlow;
  readonly cases: readonly TaskCase[];
  readonly lists: readonly TaskList[];
}

/** A list of tasks inside a task. For `role`, see `InnerList`. Each branch of a fork is a list with one task. */
export interface TaskList {
  readonly role: string;
  readonly tasks: readonly TaskNode[];
}

/** Returns the tasks of a definition in order. Ignores members that are not tasks. */
export function taskTree(definition: JsonValue): readonly TaskNode[] {
  return tasksOf(get(definition, 'do'), '/do');
}

function tasksOf(list: JsonValue | undefined, path: string): TaskNode[] {
  if (!isList(list)) return [];
  return list.flatMap((item, index) =>
    Object.entries(isObject(item) ? item : {}).flatMap(([name, task]) =>
      isObject(task) ? [nodeOf(name, task, `${path}/${index}/${segment(name)}`)] : [],
    ),
  );
}

function nodeOf(name: string, task: JsonObject, path: string): TaskNode {
  const key = kindOf(task);
  const { detail, flow = 'sequence', cases, lists } = key === undefined ? {} : taskKind(key);
  const then = getText(task, 'then');
  return {
    path,
    name,
    kind: key ?? 'task',
    detail: detail?.(task),
    condition: getText(task, 'if'),
    next: then === 'continue' ? undefined : then,
    flow,
    cases: cases?.(task) ?? [],
    lists: (lists?.(task) ?? []).flatMap((list) => listsOf(list, path)).filter(({ tasks }) => tasks.length > 0),
  };
}

function listsOf(
  { role, keys, tasks, path: ofSteps = keys.join('/'), alone = false }: InnerList,
  path: string,
): TaskList[] {
  const nodes = tasksOf(tasks, `${path}/${ofSteps}`);
  return alone ? nodes.map((node) => ({ role, tasks: [node] })) : [{ role, tasks: nodes }];
}
