import type { JsonValue } from '../../json-value.ts';
import { cancelFrame, cancelTimer, startTimer } from '../interpreter/cancel.ts';
import { later } from '../interpreter/durations.ts';
import { Fault, fault, tooManySteps } from '../interpreter/faults.ts';
import {
  done,
  newList,
  type Outcome,
  repeat,
  type Scope,
  type Step,
  type TryBody,
  WAITING,
} from '../interpreter/frames.ts';
import { get, getText, isList, segment } from '../interpreter/json.ts';
import { retryDelay } from '../interpreter/retry-delay.ts';
import { runList } from '../interpreter/run-list.ts';
import { evaluateDuration, holds } from '../interpreter/values.ts';
import type { WorkflowError } from '../port.ts';
import { ERROR_TYPES, standardError } from '../standard-error.ts';
import { defineTaskKind } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: '`catch` with `errors.with`, `as`, `when`, `exceptWhen`, `retry`, `do`. Retries come first, `do` when they are used up.',
  schema: 'tryTask',
  run: tryTask,
  expressions: () => ['when', 'exceptWhen', 'retry/when', 'retry/exceptWhen'].map((place) => `catch/${place}`),
  lists: (task) => [
    { role: 'try', keys: ['try'], tasks: task.try },
    { role: 'catch', keys: ['catch', 'do'], tasks: get(task.catch, 'do') },
  ],
  check: (task, checker) => checker.reference('retries', get(task.catch, 'retry'), ['catch', 'retry']),
  flow: 'attempt',
});

/**
 * `try`: runs tasks; an error that `catch` takes is answered by retries as long as the policy allows, then by the tasks of `catch.do`. An error that is
 * not taken, or for which the retries are used up and no `do` is given, goes on outward. Retries begin with the input of the try again.
 *
 *     try ──done──▶ (output)
 *      │ caught
 *      ├─ retry allowed ──▶ delay ──timer──▶ try
 *      ├─ `do` given    ──▶ catch ──done──▶ (output of `do`)
 *      └─ no retry policy ──▶ (input)        otherwise the error goes on
 */
export async function tryTask(step: Step): Promise<Outcome> {
  const { frame, run, path } = step;
  if (frame.body?.is !== 'try') {
    frame.body = {
      is: 'try',
      phase: 'try',
      list: newList(frame.input, frame.attempt),
      retries: 0,
      firstAt: run.at,
      limited: false,
    };
    await startLimit(step, frame.body);
  }
  const { body } = frame;
  for (;;) {
    if (body.phase === 'delay') {
      const timer = `${path}#retry.${frame.attempt}.${body.retries}`;
      if (run.event?.type !== 'timer-fired' || run.event.timer !== timer) return WAITING;
      await beginAgain(step, body);
    }
    if (body.phase === 'catch') return runCatch(step, body);
    const outcome = await runBody(step, body);
    if (outcome.is === 'waiting') return WAITING;
    if (body.limited) cancelTimer(run, `${path}#limit.${frame.attempt}.${body.retries}`);
    body.limited = false;
    if (outcome.is === 'done' || outcome.fatal) return outcome;
    const after = await handle(step, body, outcome.error);
    if (after !== undefined) return after;
  }
}

async function runBody(step: Step, body: TryBody): Promise<Outcome> {
  const { run, task, path, frame, scope } = step;
  const tasks = get(task, 'try');
  if (!isList(tasks)) throw fault('configuration', '`try` is no list of tasks', path);
  const limit = `${path}#limit.${frame.attempt}.${body.retries}`;
  if (body.limited && run.event?.type === 'timer-fired' && run.event.timer === limit) {
    const { child, index } = body.list;
    if (child !== null) cancelFrame(run, child, `${path}/try/${index}/${segment(child.name)}`, 'whole');
    body.list.child = null;
    return { is: 'failed', error: standardError('timeout', 'the attempt took too long', path), fatal: false };
  }
  try {
    return await runList(run, body.list, tasks, `${path}/try`, scope);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { is: 'failed', error: error.error, fatal: error.fatal };
  }
}

/** What follows from an error: an outcome, or undefined when the phase has changed and the try goes on. */
async function handle(step: Step, body: TryBody, error: WorkflowError): Promise<Outcome | undefined> {
  const { run, frame, task, path } = step;
  const clause = get(task, 'catch');
  const failed: Outcome = { is: 'failed', error, fatal: false };
  const seen = { [getText(clause, 'as') ?? 'error']: error as unknown as JsonValue };
  if (!(await catches(step, clause, error, seen))) return failed;
  const policy = policyOf(step, get(clause, 'retry'));
  if (policy !== undefined && error.retryable !== false && (await mayRetry(step, policy, body, seen))) {
    body.retries++;
    const delay = await retryDelay(step, policy, body.retries);
    const limit = get(get(policy, 'limit'), 'duration');
    const spent = Date.parse(run.at) - Date.parse(body.firstAt) + delay;
    if (limit === undefined || spent <= (await evaluateDuration(step, limit, 'the limit of retries'))) {
      body.phase = 'delay';
      // A body that fails before any task begins would be retried without end within this call: retries count as steps.
      run.taken++;
      run.left--;
      if (run.taken > run.stepsPerRun) return { is: 'failed', error: tooManySteps(run, path), fatal: true };
      if (delay > 0 || run.left <= 0) {
        startTimer(run, `${path}#retry.${frame.attempt}.${body.retries}`, later(run.at, delay));
        return WAITING;
      }
      await beginAgain(step, body);
      return undefined;
    }
  }
  if (get(clause, 'do') === undefined) return policy === undefined ? done(frame.input) : failed;
  body.phase = 'catch';
  body.fault = error;
  body.list = { ...newList(frame.input, frame.attempt), top: body.list.top };
  return undefined;
}

async function runCatch({ run, task, path, scope }: Step, body: TryBody): Promise<Outcome> {
  const clause = get(task, 'catch');
  const tasks = get(clause, 'do');
  if (!isList(tasks)) throw fault('configuration', '`catch.do` is no list of tasks', path);
  const name = getText(clause, 'as') ?? 'error';
  const inner: Scope = {
    ...scope,
    variables: { ...scope.variables, [name]: (body.fault ?? null) as unknown as JsonValue },
  };
  return runList(run, body.list, tasks, `${path}/catch/do`, inner);
}

async function beginAgain(step: Step, body: TryBody): Promise<void> {
  repeat(body.list, step.scope);
  body.list.index = 0;
  body.list.jumps = 0;
  body.list.data = step.frame.input;
  body.phase = 'try';
  await startLimit(step, body);
}

/** Every try of the body, the first one included, may take so long (`limit.attempt.duration`). */
async function startLimit(step: Step, body: TryBody): Promise<void> {
  const { run, frame, task, path } = step;
  const policy = policyOf(step, get(get(task, 'catch'), 'retry'));
  const duration = get(get(get(policy, 'limit'), 'attempt'), 'duration');
  if (duration === undefined) return;
  const limit = await evaluateDuration(step, duration, 'the limit of an attempt');
  startTimer(run, `${path}#limit.${frame.attempt}.${body.retries}`, later(run.at, limit));
  body.limited = true;
}

function policyOf({ run, path }: Step, given: JsonValue | undefined): JsonValue | undefined {
  if (typeof given !== 'string') return given;
  const policy = get(get(get(run.definition, 'use'), 'retries'), given);
  if (policy === undefined) throw fault('configuration', `there is no retry policy "${given}"`, path);
  return policy;
}

type Seen = Readonly<Record<string, JsonValue>>;

async function catches(step: Step, clause: JsonValue | undefined, error: WorkflowError, seen: Seen): Promise<boolean> {
  for (const [name, wanted] of Object.entries(get(get(clause, 'errors'), 'with') ?? {})) {
    // The schema of the language calls it `details`.
    const key = (name === 'details' ? 'detail' : name) as keyof WorkflowError;
    if (error[key] !== (key === 'type' ? currentType(wanted) : wanted)) return false;
  }
  return allowed(step, clause, seen);
}

/**
 * The types of standard errors as drafts of the language wrote them, and as its conformance kit still does. They are understood here only:
 * errors carry the types of the language's text.
 */
const DRAFT_TYPES = 'https://serverlessworkflow.io/dsl/errors/types/';

function currentType(wanted: JsonValue): JsonValue {
  if (typeof wanted !== 'string' || !wanted.startsWith(DRAFT_TYPES)) return wanted;
  return `${ERROR_TYPES}${wanted.slice(DRAFT_TYPES.length)}`;
}

async function mayRetry(step: Step, policy: JsonValue, body: TryBody, seen: Seen): Promise<boolean> {
  const count = get(get(get(policy, 'limit'), 'attempt'), 'count');
  if (typeof count === 'number' && body.retries >= count) return false;
  return allowed(step, policy, seen);
}

/** `when` and `exceptWhen`, asked of the input of the try with the error as a variable. */
async function allowed(step: Step, clause: JsonValue | undefined, seen: Seen): Promise<boolean> {
  const when = get(clause, 'when');
  if (when !== undefined && !(await holds(step, when, step.frame.input, seen))) return false;
  const exceptWhen = get(clause, 'exceptWhen');
  return exceptWhen === undefined || !(await holds(step, exceptWhen, step.frame.input, seen));
}
