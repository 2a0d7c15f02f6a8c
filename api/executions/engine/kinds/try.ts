import type { JsonValue } from '../../json-value.ts';
import { ERROR_TYPES, standardError } from '../contract/standard-error.ts';
import type { WorkflowError } from '../contract/workflow-error.ts';
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
import { defineTaskKind } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: '`catch` with `errors.with`, `as`, `when`, `exceptWhen`, `retry`, `do`. Retries run first, then `do`.',
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
 * Runs `try`: a list of tasks. For an error that `catch` accepts, it retries within the policy, then runs `catch.do`.
 * Other errors propagate, as does an error that remains after the last retry if `catch.do` is missing. Each retry
 * restarts with the input of the try.
 *
 *     try ──done──▶ (output)
 *      │ caught
 *      ├─ retry allowed ──▶ delay ──timer──▶ try
 *      ├─ `do` given    ──▶ catch ──done──▶ (output of `do`)
 *      └─ no retry policy ──▶ (input)        otherwise the error propagates
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
  if (!isList(tasks)) throw fault('configuration', '`try` must be a list of tasks', path);
  const limit = `${path}#limit.${frame.attempt}.${body.retries}`;
  if (body.limited && run.event?.type === 'timer-fired' && run.event.timer === limit) {
    const { child, index } = body.list;
    if (child !== null) cancelFrame(run, child, `${path}/try/${index}/${segment(child.name)}`, 'whole');
    body.list.child = null;
    return { is: 'failed', error: standardError('timeout', 'the attempt exceeded its time limit', path), fatal: false };
  }
  try {
    return await runList(run, body.list, tasks, `${path}/try`, scope);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { is: 'failed', error: error.error, fatal: error.fatal };
  }
}

/** Handles an error. Returns an outcome, or undefined if the phase has changed and the try continues. */
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
      // Retries count as steps. Otherwise a body that fails before its first task would be retried endlessly within
      // this call.
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
  if (!isList(tasks)) throw fault('configuration', '`catch.do` must be a list of tasks', path);
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

/** Starts the time limit of one try of the body (`limit.attempt.duration`). It applies to the first try too. */
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
    // The schema of the language names this member `details`.
    const key = (name === 'details' ? 'detail' : name) as keyof WorkflowError;
    if (error[key] !== (key === 'type' ? currentType(wanted) : wanted)) return false;
  }
  return allowed(step, clause, seen);
}

/**
 * Prefix of the types of standard errors in drafts of the language and in its conformance kit. Only `catch` accepts
 * them. Errors themselves have the types of the published specification.
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

/** Evaluates `when` and `exceptWhen` on the input of the try, with the error as a variable. */
async function allowed(step: Step, clause: JsonValue | undefined, seen: Seen): Promise<boolean> {
  const when = get(clause, 'when');
  if (when !== undefined && !(await holds(step, when, step.frame.input, seen))) return false;
  const exceptWhen = get(clause, 'exceptWhen');
  return exceptWhen === undefined || !(await holds(step, exceptWhen, step.frame.input, seen));
}
