import { parse } from 'yaml';
import type { CloudEvent } from '#api/executions/engine/contract/cloud-event.ts';
import type { ExternalTask } from '#api/executions/engine/contract/external-task.ts';
import type {
  Advance,
  Command,
  EngineEvent,
  Interpreter,
  RunContext,
  StepRecord,
  WorkflowDefinition,
} from '#api/executions/engine/contract/port.ts';
import type { WorkflowError } from '#api/executions/engine/contract/workflow-error.ts';
import { createInterpreter } from '#api/executions/engine/interpreter.ts';
import type { Evaluate } from '#api/executions/expressions/evaluate.ts';
import { createExpressions } from '#api/executions/expressions/expressions.ts';
import { createSchemas, type Schemas } from '#api/executions/json-schema/schemas.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { atEnd } from '#test/support/at-end.ts';

/** The schema checks that `play` uses, started by `useEvaluate`. */
let usedSchemas: Schemas | undefined;

/** One evaluator per test file, closed at its end. */
export function useEvaluate(): Evaluate {
  const expressions = createExpressions({ timeLimitMs: 5_000 });
  const schemas = createSchemas({ timeLimitMs: 500 });
  atEnd(() => Promise.all([expressions.close(), schemas.close()]));
  usedSchemas = schemas;
  return expressions.evaluate;
}

/** A definition with the top-level members in `yaml`, such as `do`. */
export function workflow(yaml: string): WorkflowDefinition {
  return {
    document: { dsl: '1.0.0', namespace: 'default', name: 'test', version: '1.0.0' },
    ...(parse(yaml) as Record<string, JsonValue>),
  };
}

export const START = '2026-01-01T00:00:00.000Z';

export function contextOf(more: Partial<RunContext> = {}): RunContext {
  return {
    executionId: 'exec_1',
    ownerId: null,
    workflow: { id: 'wf_1', name: 'test', version: '1.0.0' },
    input: {},
    startedAt: START,
    overrides: {},
    secretNames: [],
    ...more,
  };
}

export type Answer = { readonly output: JsonValue } | { readonly error: WorkflowError };
export type RunTask = Extract<Command, { type: 'run-task' }>;

export interface PlayOptions {
  readonly definition: WorkflowDefinition;
  readonly context?: Partial<RunContext>;
  /** Simulates the outside world: returns the response to a task, or undefined if the task never ends. */
  readonly outside?: (
    task: ExternalTask,
    command: RunTask,
    seen: number,
  ) => Answer | undefined | Promise<Answer | undefined>;
  /** Events that arrive in order while a task listens. */
  readonly events?: readonly CloudEvent[];
  /** Selects the next of the possible events. Default: the earliest. */
  readonly choose?: (possible: readonly EngineEvent[]) => number;
  /**
   * Called after every advance with the possible events. May return additional events to deliver, such as stale or
   * duplicate ones.
   */
  readonly disturb?: (past: readonly EngineEvent[]) => readonly EngineEvent[];
  readonly evaluate: Evaluate;
  readonly interpreter?: Interpreter;
  /** True if the state is serialized as JSON between advances. Default: true. */
  readonly through?: boolean;
  readonly maxAdvances?: number;
}

export interface Played {
  readonly output?: JsonValue;
  readonly error?: WorkflowError;
  readonly commands: readonly Command[];
  readonly steps: readonly StepRecord[];
  readonly advances: readonly Advance[];
  readonly tasks: readonly RunTask[];
  /** True if the run ended by complete or fail. False if every task waits without a limit. */
  readonly ended: boolean;
  readonly at: string;
}

/** Plays a run to its end in a simulated world: timers fire, tasks respond, events arrive. */
export async function play(options: PlayOptions): Promise<Played> {
  const { definition, evaluate, outside = () => ({ output: null }), choose = first } = options;
  const interpreter = options.interpreter ?? createInterpreter({ evaluate, schemas: usedSchemas });
  const context = contextOf(options.context);
  const commands: Command[] = [];
  const advances: Advance[] = [];
  const tasks: RunTask[] = [];
  const timers = new Map<string, string>();
  const running = new Map<string, RunTask>();
  const waits = new Set<string>();
  const past: EngineEvent[] = [];
  let continuing = false;
  let events = [...(options.events ?? [])];
  let now = START;

  let advance = await interpreter.start(definition, context, now);
  for (let turn = 0; turn < (options.maxAdvances ?? 2_000); turn++) {
    advances.push(advance);
    continuing = false;
    for (const command of advance.commands) {
      commands.push(command);
      if (command.type === 'run-task') {
        tasks.push(command);
        running.set(command.step, command);
      } else if (command.type === 'cancel-task') running.delete(command.step);
      else if (command.type === 'start-timer') timers.set(command.timer, command.at);
      else if (command.type === 'cancel-timer') timers.delete(command.timer);
      else if (command.type === 'listen') waits.add(command.wait);
      else if (command.type === 'stop-listening') waits.delete(command.wait);
      else if (command.type === 'continue') continuing = true;
      else if (command.type === 'complete' || command.type === 'fail')
        return result(command.type === 'complete' ? { output: command.output } : { error: command.error }, true);
    }
    const possible: EngineEvent[] = continuing ? [{ type: 'continue', at: now }] : [];
    for (const command of running.values()) {
      const seen = tasks.filter(({ step }) => step === command.step).length;
      const answer = await outside(command.task, command, seen);
      const where = { step: command.step, attempt: command.attempt, at: now };
      if (answer !== undefined)
        possible.push(
          'output' in answer
            ? { type: 'task-completed', output: answer.output, ...where }
            : { type: 'task-failed', error: answer.error, ...where },
        );
    }
    const [event] = events;
    if (event !== undefined)
      for (const wait of waits) possible.push({ type: 'event-received', wait, events: [event], at: now });
    const due = [...timers].sort((a, b) => a[1].localeCompare(b[1]));
    // Time advances only when nothing else can happen, unless `choose` selects a timer.
    if (due[0] !== undefined && (possible.length === 0 || options.choose !== undefined))
      possible.push({ type: 'timer-fired', timer: due[0][0], at: due[0][1] });
    const next = possible[choose(possible)];
    if (next === undefined) return result({}, false);
    if (next.at > now) now = next.at;
    const deliver = { ...next, at: now };
    if (deliver.type === 'task-completed' || deliver.type === 'task-failed') running.delete(deliver.step);
    if (deliver.type === 'timer-fired') timers.delete(deliver.timer);
    if (deliver.type === 'event-received') events = events.slice(1);
    past.push(deliver);
    let { state } = advance;
    for (const noise of options.disturb?.(past.slice(0, -1)) ?? []) {
      const disturbed = await interpreter.advance(definition, context, copy(state, options.through), {
        ...noise,
        at: now,
      });
      if (disturbed.commands.length > 0)
        throw new Error(`a stale event had effects: ${JSON.stringify(disturbed.commands)}`);
      ({ state } = disturbed);
    }
    advance = await interpreter.advance(definition, context, copy(state, options.through), deliver);
  }
  throw new Error('the run does not end');

  function result(end: { output?: JsonValue; error?: WorkflowError }, ended: boolean): Played {
    return { ...end, commands, advances, tasks, ended, at: now, steps: advances.flatMap(({ steps }) => steps) };
  }
}

const first = (): number => 0;
const copy = (state: JsonValue, through = true): JsonValue =>
  through ? (JSON.parse(JSON.stringify(state)) as JsonValue) : state;

/** Names of the steps with a status, in order. */
export const named = (played: Played, status = 'completed'): readonly string[] =>
  played.steps.filter((step) => step.status === status).map(({ name }) => name);

export const communication = (status: number): WorkflowError => ({
  type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication',
  status,
  title: 'Communication Error',
});
