import { fault } from './faults.ts';
import { newList, type Outcome, type Step } from './frames.ts';
import { get, isList } from './json.ts';
import { runList } from './run-list.ts';

/** `do`: a list of tasks as one task. */
export async function doTask({ run, frame, task, path, scope }: Step): Promise<Outcome> {
  const tasks = get(task, 'do');
  if (!isList(tasks)) throw fault('configuration', '`do` is no list of tasks', path);
  if (frame.body?.is !== 'list') frame.body = { is: 'list', list: newList(frame.input, frame.attempt) };
  return runList(run, frame.body.list, tasks, `${path}/do`, scope);
}
