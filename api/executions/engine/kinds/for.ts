import type { JsonValue } from '../../json-value.ts';
import { fault } from '../interpreter/faults.ts';
import { done, newList, type Outcome, type Step } from '../interpreter/frames.ts';
import { get, getText, isList } from '../interpreter/json.ts';
import { runList } from '../interpreter/run-list.ts';
import { evaluateExpression, holds } from '../interpreter/values.ts';
import { defineTaskKind, shortDetail } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: '`each`, `in`, `at`, `while`. The output of an iteration is the input of the next one. `exit` ends the iteration, not the loop.',
  schema: 'forTask',
  run: forTask,
  expressions: () => ['for/in', 'while'],
  lists: (task) => [{ role: 'do', keys: ['do'], path: 'for/do', tasks: task.do }],
  detail: ({ for: loop }) =>
    shortDetail(`each ${getText(loop, 'each') ?? 'item'} in ${getText(loop, 'in') ?? 'the input'}`),
});

/**
 * Runs `for`: the tasks of `do` once per item of `in`, sequentially. The first iteration receives the input of the
 * loop, each other the output of the previous one. The output of the last is the output of the loop. `while` is
 * evaluated before each iteration.
 */
export async function forTask(step: Step): Promise<Outcome> {
  const { run, frame, task, path, scope } = step;
  const tasks = get(task, 'do');
  const loop = get(task, 'for');
  if (!isList(tasks)) throw fault('configuration', '`do` of a loop must be a list of tasks', path);
  if (frame.body?.is !== 'for') {
    // Empty iterations would not count as steps, and the list of items can be long.
    if (tasks.length === 0) return done(frame.input);
    const items = await evaluateExpression(step, getText(loop, 'in') ?? '.', frame.input);
    if (!isList(items)) throw fault('expression', '`in` must evaluate to a list', path);
    frame.body = { is: 'for', items, index: 0, list: newList(frame.input, frame.attempt) };
  }
  const { body } = frame;
  const condition = get(task, 'while');
  while (body.index < body.items.length) {
    const variables: Record<string, JsonValue> = {
      ...scope.variables,
      [getText(loop, 'each') ?? 'item']: body.items[body.index] ?? null,
      [getText(loop, 'at') ?? 'index']: body.index,
    };
    const inner = { ...scope, variables };
    const { list } = body;
    const fresh = list.child === null && list.index === 0 && list.jumps === 0;
    if (fresh && condition !== undefined && !(await holds({ ...step, scope: inner }, condition, list.data))) break;
    const outcome = await runList(run, list, tasks, `${path}/for[${body.index}]/do`, inner);
    if (outcome.is !== 'done' || outcome.next === 'end') return outcome;
    body.index++;
    body.list = newList(outcome.output, frame.attempt);
  }
  return done(body.list.data);
}
