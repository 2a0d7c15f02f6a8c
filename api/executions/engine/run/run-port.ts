import type { JsonValue } from '../../json-value.ts';
import type { PayloadStore } from '../../payloads/port.ts';
import type { OpenTimer } from '../../store/attention.ts';
import type { PendingSignal } from '../../store/signals.ts';
import type { CloudEvent } from '../contract/cloud-event.ts';
import type { Command, Interpreter, RunContext, WorkflowDefinition } from '../contract/port.ts';
import type { StepPath, WorkflowError } from '../contract/workflow-error.ts';
import type { ExecutionLease } from '../worker/leased-executions.ts';
import type { MemoryBudget } from '../worker/memory-budget.ts';
import type { Writer } from '../writes/writer.ts';
import type { DryRun } from './dry-run.ts';

export type RunTaskCommand = Extract<Command, { type: 'run-task' }>;

/** Outcome of an awaited child. */
export type ChildResult =
  | { readonly step: StepPath; readonly attempt: number; readonly output: JsonValue }
  | { readonly step: StepPath; readonly attempt: number; readonly error: WorkflowError };

export interface RunDeps {
  readonly lease: ExecutionLease;
  readonly interpreter: Interpreter;
  readonly definition: WorkflowDefinition;
  readonly context: RunContext;
  /** State of the interpreter. Null if the run has not begun. */
  readonly state: JsonValue | null;
  /** Open timers and waits of a continued run. */
  readonly timers: readonly OpenTimer[];
  readonly waits: readonly string[];
  readonly signals: readonly PendingSignal[];
  /** Runs a task in this process. */
  readonly runTask: (command: RunTaskCommand, signal: AbortSignal) => Promise<JsonValue>;
  /** True if `runTask` returns a recorded outcome, even for a child. */
  readonly isRecorded: (command: RunTaskCommand) => boolean;
  /** Starts an awaited child unless it exists. Rejects with the error that the run receives. */
  readonly startChild: (command: RunTaskCommand) => Promise<void>;
  readonly childResult: (signal: PendingSignal) => Promise<ChildResult>;
  /** Cancels the child of an attempt of a step. */
  readonly cancelChild: (step: StepPath, attempt: number) => void;
  /** True if a timer fires immediately because it fired in the replayed run. */
  readonly firesAtOnce: (timer: string) => boolean;
  /** Returns the events that the wait received in the replayed run. */
  readonly eventsTaken: (wait: string) => readonly CloudEvent[];
  /** Set for a run without effects: see `DryRun`. */
  readonly dryRun?: DryRun | undefined;
  readonly writer: Writer;
  readonly payloads: PayloadStore | undefined;
  readonly memoryBudget: MemoryBudget | undefined;
}

/** How a run on this worker ended. `left`: the lease is lost or the worker stops; the worker writes nothing more. */
export type RunEnd = 'ended' | 'parked' | 'ready' | 'left';

export interface Run {
  /** Advances the run until it waits. Rejects if it cannot be written or if the interpreter fails. */
  drive(): Promise<RunEnd>;
  /** Delivers signals. Ignores those already delivered. */
  deliver(signals: readonly PendingSignal[]): void;
  /** Waits for the open tasks, begins no other step, and leaves the run. */
  suspend(): void;
}
