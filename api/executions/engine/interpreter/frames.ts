import type { Evaluate } from '../../expressions/evaluate.ts';
import type { Schemas } from '../../json-schema/schemas.ts';
import type { JsonValue } from '../../json-value.ts';
import type { Command, EngineEvent, RunContext, StepRecord, WorkflowDefinition } from '../contract/port.ts';
import type { WorkflowError } from '../contract/workflow-error.ts';
import type { BudgetedRun } from './value-budget.ts';

/**
 * Position of a run: a tree with one frame for each open task. Frames are complete JSON, so any machine can continue a
 * run from its row. They do not contain the definition: for every event, the interpreter walks frames and definition
 * together from the root.
 */
export interface TaskFrame {
  /** Key of the task kind. */
  readonly kind: string;
  readonly name: string;
  /** Number of starts of this path in the run. The pair (path, attempt) is unique. */
  readonly attempt: number;
  readonly startedAt: string;
  /** Input before and after `input.from`. */
  readonly raw: JsonValue;
  readonly input: JsonValue;
  readonly timeout: boolean;
  /** State specific to the task kind. Undefined until the task begins. */
  body?: Body;
  /** Extensions that apply to the task, and their progress. Undefined if none exists. */
  extensions?: ExtensionsFrame;
}

/** Progress of the extensions around a task. */
export interface ExtensionsFrame {
  /** Names from `use.extensions`, in definition order. */
  readonly names: readonly string[];
  phase: 'before' | 'task' | 'after';
  /** Index of the extension whose list runs now or next. */
  index: number;
  list: ListFrame | null;
  /** Outcome of the task, while the `after` lists run. */
  output?: JsonValue;
  next?: string;
}

/**
 * Holds at most one running task. `turn` is the attempt of that task, and `top` the highest attempt so far in the slot
 * and below it.
 */
export interface Slot {
  child: TaskFrame | null;
  turn: number;
  top: number;
}

/** A task list: `index` is the current or next task, `data` its input. */
export interface ListFrame extends Slot {
  index: number;
  data: JsonValue;
  /** Number of jumps back. It distinguishes the visits of a step. */
  jumps: number;
}

/** A call of a function, with its evaluated arguments. */
export interface FunctionSlot extends Slot {
  readonly input: JsonValue;
}

export interface Branch extends Slot {
  state: 'open' | 'done' | 'failed';
  output?: JsonValue;
  fault?: WorkflowError;
}

export type Body =
  | { readonly is: 'list'; readonly list: ListFrame }
  /** `task`: a function fetched from a catalog. Undefined for a function of the definition. */
  | { readonly is: 'slot'; readonly slot: FunctionSlot; readonly path: string; readonly task?: JsonValue }
  | { readonly is: 'for'; readonly items: readonly JsonValue[]; index: number; list: ListFrame }
  | { readonly is: 'fork'; readonly branches: Branch[] }
  | TryBody
  | { readonly is: 'external'; readonly task: JsonValue; readonly key: string }
  | { readonly is: 'wait'; readonly until: string }
  | MessagesBody
  | ListenBody;

/** Received messages of a subscription and their `foreach` iterations. Each message is stored as `event`. */
export interface MessagesBody {
  readonly is: 'messages';
  readonly got: readonly JsonValue[];
  readonly turns: NonNullable<ListenBody['turns']>;
}

export interface ListenBody {
  readonly is: 'listen';
  /** Filters of the awaited events. */
  readonly filters: JsonValue;
  /** Consumed events in order of arrival: id, source, index of the filter, and the event in the form of `read`. */
  got: JsonValue[];
  /** Expected values of correlations without `expect`, taken from the first event. */
  learned: Record<string, JsonValue>;
  /** Events of `until`, which stop listening. They are not part of the output. */
  readonly stop?: { readonly mode: 'all' | 'any' | 'one'; readonly filters: JsonValue; got: JsonValue[] };
  /** True once no more events are consumed. */
  closed?: true;
  /** `foreach`: number of processed events, their results, and the running iteration. */
  turns?: { index: number; outputs: JsonValue[]; list: ListFrame | null };
}

export interface TryBody {
  readonly is: 'try';
  phase: 'try' | 'delay' | 'catch';
  list: ListFrame;
  /** Number of retries so far, and the start time of the first try. */
  retries: number;
  readonly firstAt: string;
  fault?: WorkflowError;
  /** True while the time limit of this try has a timer. */
  limited: boolean;
}

/** Outcome of a task; `waiting` if it has not ended. */
export type Outcome =
  | { readonly is: 'waiting' }
  | { readonly is: 'done'; readonly output: JsonValue; readonly next: string; readonly exited?: true }
  | { readonly is: 'failed'; readonly error: WorkflowError; readonly fatal: boolean };

export const WAITING: Outcome = { is: 'waiting' };
export const done = (output: JsonValue, next = 'continue'): Outcome => ({ is: 'done', output, next });

/** One advance of one run: its inputs, and the results that it collects. */
export interface Run extends BudgetedRun {
  /** Runs a task of any kind. Kinds that contain tasks call it, so they need not import the registry of kinds. */
  readonly runTask: RunTask;
  readonly definition: WorkflowDefinition;
  readonly context: RunContext;
  readonly evaluate: Evaluate;
  readonly schemas: Pick<Schemas, 'check' | 'matches'> | undefined;
  readonly at: string;
  readonly event: EngineEvent | undefined;
  readonly commands: Command[];
  readonly steps: StepRecord[];
  /** `$context`: the exports of tasks. */
  exported: JsonValue;
  /** Number of steps begun in the run, and number that may still begin in this advance. */
  taken: number;
  left: number;
  readonly stepsPerRun: number;
  /** True while external work is in progress. */
  busy: boolean;
  /** True if the advance ended early because `left` or `room` is used up. */
  paused: boolean;
}

/** What a task inherits from its enclosing frames. */
export interface Scope {
  readonly variables: Readonly<Record<string, JsonValue>>;
  /** Identifies the visit after jumps, for idempotency keys. Empty without jumps. */
  readonly visit: string;
  readonly slots: readonly Slot[];
  readonly depth: number;
  /** Set for tasks of an extension: the extended task, which is their `$task`. Extensions do not apply to them. */
  readonly extended?: JsonValue;
  /** Set for tasks of a function from a catalog: they have no access to the secrets of the workflow. */
  readonly foreign?: true;
}

/** A running task. */
export interface Step {
  readonly run: Run;
  readonly frame: TaskFrame;
  readonly task: Readonly<Record<string, JsonValue>>;
  readonly path: string;
  readonly scope: Scope;
}

export type Handler = (step: Step) => Promise<Outcome>;

/** Begins or continues the task of a slot. */
export type RunTask = (
  run: Run,
  slot: Slot,
  item: { readonly name: string; readonly task: Readonly<Record<string, JsonValue>> },
  path: string,
  scope: Scope,
  input: JsonValue,
) => Promise<Outcome>;

export const newList = (data: JsonValue, turn: number): ListFrame => ({
  index: 0,
  data,
  jumps: 0,
  child: null,
  turn,
  top: turn,
});

/** Restarts a slot with an attempt number higher than all earlier ones in it and below it. */
export function repeat(slot: Slot, scope: Scope): void {
  slot.child = null;
  slot.turn = slot.top + 1;
  slot.top = slot.turn;
  for (const around of scope.slots) around.top = Math.max(around.top, slot.turn);
}
