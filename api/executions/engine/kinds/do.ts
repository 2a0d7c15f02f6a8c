import { fault } from '../interpreter/faults.ts';
import { newList, type Outcome, type Step } from '../interpreter/frames.ts';
import { get, isList } from '../interpreter/json.ts';
import { runList } from '../interpreter/run-list.ts';
import { defineTaskKind } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: 'Runs tasks sequentially. `then` may name a task of the same list.',
  schema: 'doTask',
  notBeside: ['for'],
  run: doTask,
  lists: (task) => [{ role: 'do', keys: ['do'], tasks: task.do }],
});

/** Runs `do`: a list of tasks as one task. */
export async function doTask({ run, frame, task, path, scope }: Step): Promise<Outcome> {
  const tasks = get(task, 'do');
  if (!isList(tasks)) throw fault('configuration', '`do` must be a list of tasks', path);
  if (frame.body?.is !== 'list') frame.body = { is: 'list', list: newList(frame.input, frame.attempt) };
  return runList(run, frame.body.list, tasks, `${path}/do`, scope);
}
