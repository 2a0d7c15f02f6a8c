import type { JsonValue } from '../json-value.ts';
import type { PayloadStore } from '../payloads/port.ts';
import type { OpenTimer } from '../store/attention.ts';
import type { PendingSignal } from '../store/signals.ts';
import type { DryRun } from './dry-run.ts';
import type { ExecutionLease } from './leased-executions.ts';
import type { MemoryBudget } from './memory-budget.ts';
import type {
  CloudEvent,
  Command,
  Interpreter,
  RunContext,
  StepPath,
  WorkflowDefinition,
  WorkflowError,
} from './port.ts';
import type { Writer } from './writer.ts';

export type RunTaskCommand = Extract<Command, { type: 'run-task' }>;

/** Outcome of a child that the run waits for. */
export type ChildResult =
  | { readonly step: StepPath; readonly attempt: number; readonly output: JsonValue }
  | { readonly step: StepPath; readonly attempt: number; readonly error: WorkflowError };

export interface RunDeps {
  readonly lease: ExecutionLease;
  readonly interpreter: Interpreter;
  readonly definition: WorkflowDefinition;
  readonly context: RunContext;
  /** Where the interpreter was; null: it has not begun. */
  readonly state: JsonValue | null;
  /** Timers and waits that are set, of a run that goes on. */
  readonly timers: readonly OpenTimer[];
  readonly waits: readonly string[];
  readonly signals: readonly PendingSignal[];
  /** Does a task here. */
  readonly runTask: (command: RunTaskCommand, signal: AbortSignal) => Promise<JsonValue>;
  /** `runTask` has the outcome already, even of a child. */
  readonly isRecorded: (command: RunTaskCommand) => boolean;
  /** Begins a child the run waits for, unless it exists. Rejects with the error that the run receives. */
  readonly startChild: (command: RunTaskCommand) => Promise<void>;
  readonly childResult: (signal: PendingSignal) => Promise<ChildResult>;
  /** Ends the child of an attempt of a step. */
  readonly cancelChild: (step: StepPath, attempt: number) => void;
  /** Whether a timer fires at once, because it did in the run this one repeats. */
  readonly firesAtOnce: (timer: string) => boolean;
  /** Events the wait took in the run this one repeats. */
  readonly eventsTaken: (wait: string) => readonly CloudEvent[];
  /** The run has no effects: see `DryRun`. */
  readonly dryRun?: DryRun | undefined;
  readonly writer: Writer;
  readonly payloads: PayloadStore | undefined;
  readonly memoryBudget: MemoryBudget | undefined;
}

/** How the worker is done with a run. `left`: the lease was lost, or the worker stops; nothing more is written here. */
export type RunEnd = 'ended' | 'parked' | 'ready' | 'left';

export interface Run {
  /** Advances the run until it waits. Rejects when it could not be written, or the interpreter failed. */
  drive(): Promise<RunEnd>;
  /** Delivers more signals. Those that were delivered already are left out. */
  deliver(signals: readonly PendingSignal[]): void;
  /** Lets the tasks in progress end, begins no other step, and leaves the run. */
  suspend(): void;
}
