import type { JsonValue } from '../../json-value.ts';
import { fault } from './faults.ts';
import { done, type ListFrame, type Outcome, type Run, repeat, type Scope } from './frames.ts';
import { segment, taskItem } from './json.ts';

/**
 * Runs tasks sequentially: the output of each is the input of the next. `then` names a task of the same list, or ends
 * the list (`exit`) or the workflow (`end`). A jump back runs the tasks from the target again, as new attempts.
 */
export async function runList(
  run: Run,
  list: ListFrame,
  tasks: readonly JsonValue[],
  path: string,
  scope: Scope,
): Promise<Outcome> {
  while (list.index < tasks.length) {
    const item = taskItem(tasks[list.index]);
    if (item === undefined)
      throw fault('configuration', 'an item of a list of tasks must be an object with one name and one task', path);
    const visit = list.jumps === 0 ? scope.visit : `${scope.visit}.${list.jumps}`;
    const place = `${path}/${list.index}/${segment(item.name)}`;
    const outcome = await run.runTask(run, list, item, place, { ...scope, visit }, list.data);
    if (outcome.is !== 'done') return outcome;
    list.data = outcome.output;
    if (outcome.next === 'end') return outcome;
    if (outcome.next === 'exit') return { is: 'done', output: list.data, next: 'continue', exited: true };
    if (outcome.next === 'continue') list.index++;
    else jump(list, tasks, outcome.next, place, scope);
  }
  return done(list.data);
}

function jump(list: ListFrame, tasks: readonly JsonValue[], name: string, path: string, scope: Scope): void {
  const target = placesOf(tasks).get(name);
  if (target === undefined) throw fault('configuration', `there is no task "${name}" in this list`, path);
  if (target <= list.index) {
    list.jumps++;
    repeat(list, scope);
  }
  list.index = target;
}

/**
 * Index of task names, cached by the identity of the list: a run may jump thousands of times in a list of thousands of
 * tasks.
 */
const known = new WeakMap<readonly JsonValue[], ReadonlyMap<string, number>>();

function placesOf(tasks: readonly JsonValue[]): ReadonlyMap<string, number> {
  let places = known.get(tasks);
  if (places === undefined) {
    const found = new Map<string, number>();
    for (const [index, item] of tasks.entries()) {
      const name = taskItem(item)?.name;
      // For duplicate names, the first task wins.
      if (name !== undefined && !found.has(name)) found.set(name, index);
    }
    places = found;
    known.set(tasks, places);
  }
  return places;
}
