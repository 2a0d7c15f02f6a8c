import type { EvaluateFor } from '../expressions/evaluate.ts';
import type { Schemas } from '../json-schema/schemas.ts';
import type { JsonValue } from '../json-value.ts';
import { accountOf } from './account.ts';
import type {
  Advance,
  AdvanceLimits,
  Command,
  EngineEvent,
  Interpreter,
  RunContext,
  WorkflowDefinition,
} from './contract/port.ts';
import { standardError } from './contract/standard-error.ts';
import { cancelFrame, cancelTimer, startTimer } from './interpreter/cancel.ts';
import { later } from './interpreter/durations.ts';
import { Fault } from './interpreter/faults.ts';
import { type ListFrame, newList, type Outcome, type Run } from './interpreter/frames.ts';
import { get, isList, segment } from './interpreter/json.ts';
import { netCommands } from './interpreter/net-commands.ts';
import { createPace } from './interpreter/pace.ts';
import { packState, unpackState } from './interpreter/pack-state.ts';
import { runList } from './interpreter/run-list.ts';
import { runTask, timeoutMs } from './interpreter/run-task.ts';
import { sanitizeValue } from './interpreter/sanitize-value.ts';
import { checkSchema } from './interpreter/schemas.ts';
import {
  BYTES_PER_ADVANCE,
  DEFAULT_BUDGET,
  sizeOf,
  stateProblem,
  type ValueBudget,
} from './interpreter/value-budget.ts';
import { transform } from './interpreter/values.ts';

export interface InterpreterOptions {
  readonly evaluate: EvaluateFor;
  /** If undefined, definitions with schemas cannot run. */
  readonly schemas?: Pick<Schemas, 'check' | 'matches'> | undefined;
  /** Maximum number of steps that begin in one advance before the state is written. Default 200. */
  readonly stepsPerAdvance?: number;
  /**
   * Maximum number of steps that begin in one run. It ends infinite loops. Default 100,000. `try` cannot catch this
   * error.
   */
  readonly stepsPerRun?: number;
  /** Limit on the total size of the values of a run, in bytes; see `ValueBudget`. */
  readonly budget?: ValueBudget;
}

/** State of a whole run. */
interface Position {
  readonly version: 1;
  readonly ended?: true;
  readonly input: JsonValue;
  readonly exported: JsonValue;
  readonly taken: number;
  /** Total bytes of the inputs and outputs of its steps so far. States written by earlier versions lack it. */
  readonly recorded?: number;
  readonly timeout: boolean;
  readonly list: ListFrame;
}

const TIMEOUT = '#timeout';
const TIMED_OUT: Outcome & { is: 'failed' } = {
  is: 'failed',
  error: standardError('timeout', 'the workflow exceeded its timeout', '/timeout'),
  fatal: true,
};

/**
 * Creates the interpreter of the workflow language: a pure function from (definition, run, state, event) to the next
 * state and commands. It advances through all tasks that need nothing external. It keeps no memory between calls, and
 * returns the same result for the same arguments on any machine.
 *
 * - The interpreter has no effects: calls, timers, waits and events are commands. Events that no longer matter change
 *   nothing: the result of a cancelled task, a timer that was cancelled, anything after the end.
 * - It rejects only for temporary reasons outside the run, such as a busy evaluator. The same call can then be retried.
 *   All errors in the definition or the data end in a `fail` command.
 * - A run that is not finished but has reached the limit of one call returns a `continue` command.
 * - `interpreter/frames.ts` explains frames. `supported.ts` lists the supported parts of the language.
 */
export function createInterpreter(options: InterpreterOptions): Interpreter {
  const { evaluate, schemas, stepsPerAdvance = 200, stepsPerRun = 100_000, budget = DEFAULT_BUDGET } = options;
  const pace = createPace();

  function newRun(
    definition: WorkflowDefinition,
    context: RunContext,
    at: string,
    { steps = stepsPerAdvance, position }: { readonly steps?: number | undefined; readonly position?: Position },
  ): Run {
    return {
      definition,
      context,
      evaluate: (expression, input, variables) => evaluate(expression, input, variables, accountOf(context.ownerId)),
      schemas,
      at,
      event: undefined,
      commands: [],
      steps: [],
      exported: position?.exported ?? {},
      taken: position?.taken ?? 0,
      left: steps,
      stepsPerRun,
      budget,
      runTask,
      recorded: position?.recorded ?? 0,
      room: BYTES_PER_ADVANCE,
      pace,
      busy: false,
      paused: false,
    };
  }

  async function start(
    definition: WorkflowDefinition,
    context: RunContext,
    at: string,
    limits?: AdvanceLimits,
  ): Promise<Advance> {
    const run = newRun(definition, context, at, { steps: limits?.steps });
    let position: Position = {
      version: 1,
      input: null,
      exported: {},
      taken: 0,
      timeout: false,
      list: newList(null, 1),
    };
    try {
      const raw = sanitizeValue(context.input, '/input');
      sizeOf(run, raw, 'the input', '/input');
      await checkSchema(run, get(get(definition, 'input'), 'schema'), raw, 'the input', '/input');
      const input = await transform({ run, path: '/input' }, get(get(definition, 'input'), 'from'), raw);
      const limit = await timeoutMs({ run, path: '/timeout', task: definition });
      if (limit !== undefined) startTimer(run, TIMEOUT, later(at, limit));
      position = { ...position, input, timeout: limit !== undefined, list: newList(input, 1) };
    } catch (error) {
      return ended(run, position, failureOf(error));
    }
    const outcome = await proceed(run, position);
    return outcome.is === 'waiting'
      ? waiting(run, position, netCommands(run.commands, undefined))
      : ended(run, position, outcome);
  }

  async function advance(
    definition: WorkflowDefinition,
    context: RunContext,
    state: JsonValue,
    given: EngineEvent | readonly EngineEvent[],
    limits?: AdvanceLimits,
  ): Promise<Advance> {
    let position = unpackState(state) as unknown as Position;
    if (position.ended === true) return { state, commands: [], steps: [], idle: true };
    const events = 'type' in given ? [given] : given;
    const commands: Command[] = [];
    let run = newRun(definition, context, '', { steps: limits?.steps, position });
    for (const [at, event] of events.entries()) {
      run = { ...run, at: event.at, event, commands: [], busy: false };
      const outcome = isTimeout(event, position) ? TIMED_OUT : await proceed(run, position);
      if (outcome.is !== 'waiting') return ended(run, position, outcome, commands);
      commands.push(...netCommands(run.commands, event));
      position = { ...position, exported: run.exported, taken: run.taken, recorded: run.recorded };
      const isSpent = run.paused || run.left <= 0 || run.room <= 0;
      if (isSpent && at + 1 < events.length) return { ...waiting(run, position, commands), left: events.slice(at + 1) };
    }
    return waiting(run, position, commands);
  }

  return { start, advance };
}

function isTimeout(event: EngineEvent, { timeout }: Position): boolean {
  return timeout && event.type === 'timer-fired' && event.timer === TIMEOUT;
}

/** Advances until all tasks wait or the run has ended. */
async function proceed(run: Run, position: Position): Promise<Outcome> {
  const tasks = get(run.definition, 'do');
  try {
    const outcome = await runList(run, position.list, isList(tasks) ? tasks : [], '/do', {
      variables: {},
      visit: '',
      slots: [],
      depth: 0,
    });
    if (outcome.is === 'waiting' && run.paused) run.commands.push({ type: 'continue' });
    return outcome.is === 'done' ? { ...outcome, output: await outputOf(run, outcome.output) } : outcome;
  } catch (error) {
    return failureOf(error);
  }
}

/** Returns the advance of a run that has not ended. */
function waiting(run: Run, position: Position, commands: readonly Command[]): Advance {
  const state = pack({ ...position, exported: run.exported, taken: run.taken, recorded: run.recorded });
  const problem = stateProblem(state);
  if (problem !== undefined)
    return ended({ ...run, commands: [...commands] }, position, {
      is: 'failed',
      error: standardError('runtime', problem, '/do', 413),
      fatal: true,
    });
  return { state, commands, steps: run.steps, idle: !run.busy && !run.paused };
}

/** Returns the output of the workflow: applies `output.as` and its schema. */
async function outputOf(run: Run, output: JsonValue): Promise<JsonValue> {
  const result = await transform({ run, path: '/output' }, get(get(run.definition, 'output'), 'as'), output, {
    output,
  });
  sizeOf(run, result, 'the output', '/output');
  await checkSchema(run, get(get(run.definition, 'output'), 'schema'), result, 'the output', '/output');
  return result;
}

/** Cancels the open tasks and ends the run. `before`: commands of events that precede the one that ended it. */
function ended(
  run: Run,
  position: Position,
  outcome: Exclude<Outcome, { is: 'waiting' }>,
  before: readonly Command[] = [],
): Advance {
  const { child, index } = position.list;
  if (child !== null) cancelFrame(run, child, `/do/${index}/${segment(child.name)}`, 'whole');
  if (position.timeout) cancelTimer(run, TIMEOUT);
  run.commands.push(
    outcome.is === 'done' ? { type: 'complete', output: outcome.output } : { type: 'fail', error: outcome.error },
  );
  const last = { ...position, ended: true as const, input: null, exported: {}, list: newList(null, 1) };
  const commands = [...before, ...netCommands(run.commands, run.event)];
  return { state: pack(last), commands, steps: run.steps, idle: true };
}

function failureOf(error: unknown): Outcome & { is: 'failed' } {
  if (error instanceof Fault) return { is: 'failed', error: error.error, fatal: error.fatal };
  throw error;
}

const pack = (position: Position): JsonValue => packState(position as unknown as JsonValue);
