import { fault } from './faults.ts';
import { done, type Outcome, type Step } from './frames.ts';
import { get, getText, isList, taskItem } from './json.ts';
import { holds } from './values.ts';

/** `switch`: goes where the first case that holds says; the case without `when` counts when no other holds. The data stay as they are. */
export async function switchTask(step: Step): Promise<Outcome> {
  const { task, frame, path } = step;
  const cases = get(task, 'switch');
  if (!isList(cases)) throw fault('configuration', '`switch` is no list of cases', path);
  let otherwise: string | undefined;
  for (const item of cases) {
    const found = taskItem(item);
    const next = getText(found?.task, 'then');
    if (found === undefined || next === undefined) throw fault('configuration', 'a case has no `then`', path);
    const when = get(found.task, 'when');
    if (when === undefined) otherwise ??= next;
    else if (await holds(step, when, frame.input)) return directed(step, next);
  }
  return otherwise === undefined ? done(frame.input) : directed(step, otherwise);
}

/** A case that says `continue` goes on with the next task of the list, whatever `then` the switch itself has. */
const directed = ({ frame }: Step, next: string): Outcome => done(frame.input, next);
