import type { Schemas } from '../../json-schema/schemas.ts';
import type { JsonValue } from '../../json-value.ts';
import type {
  Command,
  EngineEvent,
  Evaluate,
  RunContext,
  StepRecord,
  WorkflowDefinition,
  WorkflowError,
} from '../port.ts';
import type { BudgetedRun } from './value-budget.ts';

/**
 * Position of a run: a tree of frames, one for every task that has begun and not ended. Frames are JSON and complete, so that any machine can continue a
 * run from its row. They do not contain the definition: at every event, frames and definition are walked together from the root.
 */
export interface TaskFrame {
  /** Key of the kind of task. */
  readonly kind: string;
  readonly name: string;
  /** How often this path was begun in this run; no two beginnings share (path, attempt). */
  readonly attempt: number;
  readonly startedAt: string;
  /** Before and after `input.from`. */
  readonly raw: JsonValue;
  readonly input: JsonValue;
  readonly timeout: boolean;
  /** What the kind of task keeps; undefined until it begins. */
  body?: Body;
  /** Extensions that apply to the task, and where they stand; undefined without any. */
  extensions?: ExtensionsFrame;
}

/** Tasks of extensions around a task. */
export interface ExtensionsFrame {
  /** Names of `use.extensions`, in their order. */
  readonly names: readonly string[];
  phase: 'before' | 'task' | 'after';
  /** Number of the extension whose list is at work or next. */
  index: number;
  list: ListFrame | null;
  /** The outcome of the task, while the tasks after it run. */
  output?: JsonValue;
  next?: string;
}

/** A place where one task stands at a time. `turn` is the attempt of the task; `top` the highest attempt there was in it or below. */
export interface Slot {
  child: TaskFrame | null;
  turn: number;
  top: number;
}

/** A list of tasks: which of them is at work or next, and what goes into it. */
export interface ListFrame extends Slot {
  index: number;
  data: JsonValue;
  /** Number of jumps back: it distinguishes the visits of a step. */
  jumps: number;
}

/** The task of a function that is called, with the arguments it got. */
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
  /** `task`: a function that a catalog gave; undefined for one of the definition. */
  | { readonly is: 'slot'; readonly slot: FunctionSlot; readonly path: string; readonly task?: JsonValue }
  | { readonly is: 'for'; readonly items: readonly JsonValue[]; index: number; list: ListFrame }
  | { readonly is: 'fork'; readonly branches: Branch[] }
  | TryBody
  | { readonly is: 'external'; readonly task: JsonValue; readonly key: string }
  | { readonly is: 'wait'; readonly until: string }
  | MessagesBody
  | ListenBody;

/** Messages of a subscription that have their iterations of `foreach`, each as `event`. */
export interface MessagesBody {
  readonly is: 'messages';
  readonly got: readonly JsonValue[];
  readonly turns: NonNullable<ListenBody['turns']>;
}

export interface ListenBody {
  readonly is: 'listen';
  /** Of the events that are wanted. */
  readonly filters: JsonValue;
  /** Events that were taken, in the order in which they came: id, source, number of the filter, and the event as it is read. */
  got: JsonValue[];
  /** What correlations without an expectation must be equal to, from the first event on. */
  learned: Record<string, JsonValue>;
  /** Events that end the listening and are no part of the output (`until`). */
  readonly stop?: { readonly mode: 'all' | 'any' | 'one'; readonly filters: JsonValue; got: JsonValue[] };
  /** No more events are taken. */
  closed?: true;
  /** `foreach`: how many events are done, the result of each, and the one that is running. */
  turns?: { index: number; outputs: JsonValue[]; list: ListFrame | null };
}

export interface TryBody {
  readonly is: 'try';
  phase: 'try' | 'delay' | 'catch';
  list: ListFrame;
  /** Retries so far, and when this try of the body began. */
  retries: number;
  readonly firstAt: string;
  fault?: WorkflowError;
  /** Whether the timer of this try of the body runs. */
  limited: boolean;
}

/** How a task ended, or that it has not. */
export type Outcome =
  | { readonly is: 'waiting' }
  | { readonly is: 'done'; readonly output: JsonValue; readonly next: string; readonly exited?: true }
  | { readonly is: 'failed'; readonly error: WorkflowError; readonly fatal: boolean };

export const WAITING: Outcome = { is: 'waiting' };
export const done = (output: JsonValue, next = 'continue'): Outcome => ({ is: 'done', output, next });

/** One advance of one run: what it reads, and what it collects. */
export interface Run extends BudgetedRun {
  /** Runs one task of any kind. Kinds that contain tasks call it, so that they need not import the registry of kinds. */
  readonly runTask: RunTask;
  readonly definition: WorkflowDefinition;
  readonly context: RunContext;
  readonly evaluate: Evaluate;
  readonly schemas: Pick<Schemas, 'check' | 'matches'> | undefined;
  readonly at: string;
  readonly event: EngineEvent | undefined;
  readonly commands: Command[];
  readonly steps: StepRecord[];
  /** `$context`: what tasks exported. */
  exported: JsonValue;
  /** Steps begun in the run, and how many may still begin in this advance. */
  taken: number;
  left: number;
  readonly stepsPerRun: number;
  /** Something outside is at work. */
  busy: boolean;
  /** Ended early because `left` or `room` is used up. */
  paused: boolean;
}

/** What a task sees of the frames around it. */
export interface Scope {
  readonly variables: Readonly<Record<string, JsonValue>>;
  /** Distinguishes visits by jumps, for idempotency keys; empty without jumps. */
  readonly visit: string;
  readonly slots: readonly Slot[];
  readonly depth: number;
  /** Set for tasks of an extension: the task that it extends, which `$task` describes there. No extension applies to them. */
  readonly extended?: JsonValue;
  /** Set for tasks of a function from a catalog: the secrets of the workflow are not theirs. */
  readonly foreign?: true;
}

/** A task at work. */
export interface Step {
  readonly run: Run;
  readonly frame: TaskFrame;
  readonly task: Readonly<Record<string, JsonValue>>;
  readonly path: string;
  readonly scope: Scope;
}

export type Handler = (step: Step) => Promise<Outcome>;

/** Begins the task of a slot, or continues it. */
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

/** Begins a slot once more: with an attempt that nothing in it or below has had. */
export function repeat(slot: Slot, scope: Scope): void {
  slot.child = null;
  slot.turn = slot.top + 1;
  slot.top = slot.turn;
  for (const around of scope.slots) around.top = Math.max(around.top, slot.turn);
}
