import { fault } from '../interpreter/faults.ts';
import { done, type Outcome, type Step } from '../interpreter/frames.ts';
import { get, getText, isList, taskItem } from '../interpreter/json.ts';
import { holds } from '../interpreter/values.ts';
import { defineTaskKind } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: 'Continues with the first case whose `when` is true. A case without `when` is the default, at any position.',
  schema: 'switchTask',
  run: switchTask,
  directs: true,
  expressions: () => ['switch/*/*/when'],
  check: ({ switch: cases }, checker) => {
    if (!isList(cases)) return;
    for (const [index, item] of cases.entries()) {
      const found = taskItem(item);
      if (found !== undefined) checker.directive(found.task.then, ['switch', index, found.name, 'then']);
    }
  },
  flow: 'choice',
  cases: ({ switch: cases }) =>
    (isList(cases) ? cases : []).flatMap((item) => {
      const found = taskItem(item);
      if (found === undefined) return [];
      const next = getText(found.task, 'then');
      return [{ name: found.name, when: getText(found.task, 'when'), next: next === 'continue' ? undefined : next }];
    }),
});

/**
 * Runs `switch`: jumps to the target of the first case whose condition is true. The case without `when` is the default.
 * The output is the input.
 */
export async function switchTask(step: Step): Promise<Outcome> {
  const { task, frame, path } = step;
  const cases = get(task, 'switch');
  if (!isList(cases)) throw fault('configuration', '`switch` must be a list of cases', path);
  let otherwise: string | undefined;
  for (const item of cases) {
    const found = taskItem(item);
    const next = getText(found?.task, 'then');
    if (found === undefined || next === undefined)
      throw fault('configuration', 'a case of `switch` needs `then`', path);
    const when = get(found.task, 'when');
    if (when === undefined) otherwise ??= next;
    else if (await holds(step, when, frame.input)) return directed(step, next);
  }
  return otherwise === undefined ? done(frame.input) : directed(step, otherwise);
}

/** A case with `continue` goes to the next task of the list, even if the switch itself has a `then`. */
const directed = ({ frame }: Step, next: string): Outcome => done(frame.input, next);
