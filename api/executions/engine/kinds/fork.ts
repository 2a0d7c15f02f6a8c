import type { JsonValue } from '../../json-value.ts';
import { cancelFrame } from '../interpreter/cancel.ts';
import { fault } from '../interpreter/faults.ts';
import { type Branch, done, type Outcome, type Step, WAITING } from '../interpreter/frames.ts';
import { get, isList, segment, taskItem } from '../interpreter/json.ts';
import { defineTaskKind } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: 'Runs branches concurrently. The output is the list of their outputs. With `compete`, the output is that of the first branch that completes, and the task fails only if all branches fail.',
  schema: 'forkTask',
  run: forkTask,
  lists: ({ fork }) => [{ role: 'branch', keys: ['fork', 'branches'], tasks: get(fork, 'branches'), alone: true }],
  flow: 'parallel',
  detail: ({ fork }) => (get(fork, 'compete') === true ? 'the first to complete wins' : 'all at once'),
});

/**
 * Runs `fork`: branches run concurrently, each one task with the input of the fork. The output is the list of their
 * outputs in definition order. The first branch that fails cancels the others. With `compete`, the first branch that
 * completes supplies the output and cancels the others. The fork then fails only if all branches fail.
 */
export async function forkTask(step: Step): Promise<Outcome> {
  const { run, frame, task, path, scope } = step;
  const fork = get(task, 'fork');
  const items = get(fork, 'branches');
  const compete = get(fork, 'compete') === true;
  if (!isList(items) || items.length === 0)
    throw fault('configuration', '`fork.branches` must have at least one branch', path);
  if (frame.body?.is !== 'fork')
    frame.body = {
      is: 'fork',
      branches: items.map(() => ({ state: 'open', child: null, turn: frame.attempt, top: frame.attempt })),
    };
  const { branches } = frame.body;
  const addressed = addressedBranch(step);
  for (const [index, branch] of branches.entries()) {
    if (branch.state !== 'open') continue;
    if (addressed !== undefined && addressed !== index && isOutside(branch)) {
      run.busy = true;
      continue;
    }
    const item = taskItem(items[index]);
    if (item === undefined) throw fault('configuration', 'a branch must be an object with one name and one task', path);
    const place = `${path}/fork/branches/${index}/${segment(item.name)}`;
    const outcome = await run.runTask(run, branch, item, place, scope, frame.input);
    if (outcome.is === 'waiting') continue;
    if (outcome.is === 'failed') {
      branch.state = 'failed';
      branch.fault = outcome.error;
      if (!compete || outcome.fatal) {
        endOthers(step, branches);
        return outcome;
      }
    } else {
      branch.state = 'done';
      branch.output = outcome.output;
      if (compete || outcome.next === 'end') {
        endOthers(step, branches);
        return done(outcome.output, outcome.next === 'end' ? 'end' : 'continue');
      }
      if (outcome.next !== 'continue' && outcome.next !== 'exit')
        throw fault('configuration', `a branch cannot continue with "${outcome.next}"`, place);
    }
  }
  if (branches.some((branch) => branch.state === 'open')) return WAITING;
  if (compete) return lastFailure(branches, path);
  return done(branches.map((branch): JsonValue => branch.output ?? null));
}

/**
 * Returns the index of the branch whose external task the event belongs to, or -1 if it belongs to no branch. Returns
 * undefined for an event that is not the outcome of an external task.
 */
function addressedBranch({ run: { event }, path }: Step): number | undefined {
  if (event?.type !== 'task-completed' && event?.type !== 'task-failed') return undefined;
  const branches = `${path}/fork/branches/`;
  return event.step.startsWith(branches) ? Number.parseInt(event.step.slice(branches.length), 10) : -1;
}

/**
 * True while the task of the branch itself runs externally. Outcomes of other tasks are not passed to such a branch,
 * which saves work in a wide fork.
 */
function isOutside({ child }: Branch): boolean {
  return child?.body?.is === 'external' && child.extensions === undefined;
}

function endOthers({ run, path }: Step, branches: readonly Branch[]): void {
  for (const [index, branch] of branches.entries()) {
    if (branch.child !== null)
      cancelFrame(run, branch.child, `${path}/fork/branches/${index}/${segment(branch.child.name)}`, 'whole');
    branch.child = null;
  }
}

function lastFailure(branches: readonly Branch[], path: string): Outcome {
  const error = branches.findLast((branch) => branch.fault !== undefined)?.fault;
  if (error === undefined) throw fault('runtime', 'no branch has completed', path);
  return { is: 'failed', error, fatal: false };
}
