import type { JsonValue } from '../../json-value.ts';
import { standardError } from '../contract/standard-error.ts';
import { kindOf, taskKind } from '../kind-registry.ts';
import { cancelFrame, cancelTimer, startTimer } from './cancel.ts';
import { later } from './durations.ts';
import { exportContext } from './export-context.ts';
import { extensionsOf, hasExtensions, runExtensions } from './extensions.ts';
import { Fault, fault, tooManySteps } from './faults.ts';
import { done, type Outcome, type Run, type Scope, type Slot, type Step, type TaskFrame, WAITING } from './frames.ts';
import { get, getText, type JsonObject } from './json.ts';
import { recordStep } from './record-step.ts';
import { sanitizeValue } from './sanitize-value.ts';
import { checkSchema } from './schemas.ts';
import { sizeOf } from './value-budget.ts';
import { evaluateDuration, holds, transform } from './values.ts';

/** Maximum nesting of tasks. Definitions are less deep. A function that calls itself fails at this limit. */
const MAX_DEPTH = 64;

/**
 * Begins or continues the task of a slot. Implements the properties that all kinds share: `if`, `input`, `output`,
 * `export`, `timeout` and overrides.
 */
export async function runTask(
  run: Run,
  slot: Slot,
  item: { readonly name: string; readonly task: JsonObject },
  path: string,
  scope: Scope,
  input: JsonValue,
): Promise<Outcome> {
  const { name, task } = item;
  const began = slot.child === null;
  const inner: Scope = { ...scope, slots: [...scope.slots, slot], depth: scope.depth + 1 };
  try {
    const turn = run.pace.step();
    if (turn !== undefined) await turn;
    if (slot.child === null) {
      if (run.left <= 0 || run.room <= 0) {
        run.paused = true;
        return WAITING;
      }
      run.left--;
      run.taken++;
      const begun = await begin(run, slot, name, task, path, inner, input);
      if ('is' in begun) return begun;
      slot.child = begun;
    }
    const frame = slot.child;
    const step: Step = { run, frame, task, path, scope: inner };
    if (!began && isTimeout(step)) throw fault('timeout', `the task exceeded its timeout`, path);
    const outcome = await runExtended(step);
    if (outcome.is === 'waiting') return outcome;
    if (outcome.is === 'failed') return fail(run, slot, path, outcome);
    return await finish(step, slot, outcome);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return fail(run, slot, path, { is: 'failed', error: error.error, fatal: error.fatal }, { name, task });
  }
}

/** Runs the task, surrounded by the tasks of its extensions. */
async function runExtended(step: Step): Promise<Outcome> {
  const { frame } = step;
  const { extensions } = frame;
  if (extensions === undefined) return taskKind(frame.kind).run(step);
  if (extensions.phase === 'before') {
    const instead = await runExtensions(step, extensions, frame.raw);
    if (instead !== undefined) return instead;
    extensions.phase = 'task';
  }
  if (extensions.phase === 'task') {
    const outcome = await taskKind(frame.kind).run(step);
    if (outcome.is !== 'done') return outcome;
    Object.assign(extensions, { phase: 'after', output: outcome.output, next: outcome.next });
  }
  const ended = await runExtensions(step, extensions, extensions.output ?? null);
  return ended ?? done(extensions.output ?? null, extensions.next);
}

async function begin(
  run: Run,
  slot: Slot,
  name: string,
  task: JsonObject,
  path: string,
  scope: Scope,
  raw: JsonValue,
): Promise<TaskFrame | Outcome> {
  const kind = kindOf(task);
  if (kind === undefined) throw fault('configuration', `the task "${name}" has no known kind`, path);
  const bare = { kind, name, attempt: slot.turn, startedAt: run.at, raw, timeout: false };
  if (run.taken > run.stepsPerRun) throw new Fault(tooManySteps(run, path), true);
  if (scope.depth > MAX_DEPTH)
    throw new Fault(standardError('runtime', `tasks are nested more than ${MAX_DEPTH} deep`, path), true);
  if (Object.hasOwn(run.context.overrides, name)) {
    const output = sanitizeValue(run.context.overrides[name] ?? null, path);
    const frame = { ...bare, input: raw };
    await exportContext({ run, frame, task, path, scope }, get(task, 'export'), output);
    recordStep(run, frame, path, 'skipped', { input: raw, output });
    return done(output, getText(task, 'then'));
  }
  const evaluation = { run, path, task, scope, frame: { ...bare, input: raw } };
  const condition = get(task, 'if');
  if (condition !== undefined && !(await holds(evaluation, condition, raw))) {
    recordStep(run, evaluation.frame, path, 'skipped', { input: raw });
    return done(raw);
  }
  // Most tasks have none of these. Awaiting a promise for each missing one would dominate the cost.
  const given = get(task, 'input');
  if (given !== undefined) await checkSchema(run, get(given, 'schema'), raw, 'the input', path);
  const input = given === undefined ? raw : await transform(evaluation, get(given, 'from'), raw);
  const of = { ...evaluation, frame: { ...bare, input } };
  const limit = get(task, 'timeout') === undefined ? undefined : await timeoutMs(of);
  const extensions = hasExtensions(run) ? await extensionsOf(of, kind) : undefined;
  const frame: TaskFrame = {
    ...bare,
    input,
    timeout: limit !== undefined,
    ...(extensions === undefined ? {} : { extensions }),
  };
  recordStep(run, frame, path, taskKind(kind).work === 'waits' ? 'waiting' : 'running', { input });
  if (limit !== undefined) startTimer(run, `${path}#timeout.${frame.attempt}`, later(run.at, limit));
  return frame;
}

async function finish(
  step: Step,
  slot: Slot,
  outcome: { readonly output: JsonValue; readonly next: string },
): Promise<Outcome> {
  const { run, frame, task, path } = step;
  let { output } = outcome;
  // An inner task that ends the workflow supplies the output of the workflow. The filters of enclosing tasks do not
  // apply.
  if (outcome.next !== 'end' || taskKind(frame.kind).directs) {
    const [given, exported] = [get(task, 'output'), get(task, 'export')];
    const ended = given === undefined && exported === undefined ? step : { ...step, rawOutput: output };
    if (given !== undefined) output = await transform(ended, get(given, 'as'), output, { output });
    sizeOf(run, output, 'the output', path);
    if (given !== undefined) await checkSchema(run, get(given, 'schema'), output, 'the output', path);
    if (exported !== undefined) await exportContext(ended, exported, output);
  }
  if (frame.timeout) cancelTimer(run, `${path}#timeout.${frame.attempt}`);
  recordStep(run, frame, path, 'completed', { output });
  slot.child = null;
  return done(output, outcome.next === 'continue' ? getText(task, 'then') : outcome.next);
}

/** Cancels the open work of a failed task. The error keeps its original instance path. */
function fail(
  run: Run,
  slot: Slot,
  path: string,
  outcome: Outcome & { is: 'failed' },
  item?: { readonly name: string; readonly task: JsonObject },
): Outcome {
  const frame = slot.child;
  if (frame !== null) {
    cancelFrame(run, frame, path, 'inside');
    recordStep(run, frame, path, 'failed', { error: outcome.error });
  } else if (item !== undefined) {
    const kind = kindOf(item.task) ?? 'do';
    recordStep(run, { kind, name: item.name, attempt: slot.turn }, path, 'failed', { error: outcome.error });
  }
  slot.child = null;
  return outcome;
}

/** Returns `timeout` of a task or workflow in milliseconds. It is inline or a name of `use.timeouts`. */
export async function timeoutMs(
  evaluation: Pick<Step, 'run' | 'path' | 'task'> & Partial<Step>,
): Promise<number | undefined> {
  const given = get(evaluation.task, 'timeout');
  if (given === undefined) return undefined;
  const timeout =
    typeof given === 'string' ? get(get(get(evaluation.run.definition, 'use'), 'timeouts'), given) : given;
  const after = get(timeout, 'after');
  if (after === undefined)
    throw fault(
      'configuration',
      '`timeout` must be a timeout, or the name of a timeout in `use.timeouts`',
      evaluation.path,
    );
  return evaluateDuration(evaluation, after, 'the timeout');
}

function isTimeout({ run: { event }, frame, path }: Step): boolean {
  return event?.type === 'timer-fired' && frame.timeout && event.timer === `${path}#timeout.${frame.attempt}`;
}
