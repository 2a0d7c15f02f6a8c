import type { ApprovalPolicy } from '../../approvals/policy.ts';
import type { JsonValue } from '../../json-value.ts';
import type { CloudEvent, EventFilter } from './cloud-event.ts';
import type { ExternalTask } from './external-task.ts';
import type { StepPath, WorkflowError } from './workflow-error.ts';

/**
 * Interfaces between the three parts of the engine. The interpreter decides, without effects. The store keeps
 * executions, steps, timers, waits and signals in PostgreSQL. The worker claims an execution, runs the interpreter and
 * executes its commands. It writes result and state change in one transaction.
 */

/** Constant data of a run. Expressions see it as `$workflow` and `$runtime`. */
export interface RunContext {
  readonly executionId: string;
  /** Null for the operator. Not visible to expressions. */
  readonly ownerId: string | null;
  readonly workflow: { readonly id: string; readonly name: string; readonly version: string };
  readonly input: JsonValue;
  readonly startedAt: string;
  /** Outputs by step name. These steps are not executed. */
  readonly overrides: Readonly<Record<string, JsonValue>>;
  /** Names of the secrets that the definition may use. The worker inserts their values when it runs a task. */
  readonly secretNames: readonly string[];
  /** Key of the account of the run, for fair scheduling of schema checks. */
  readonly owner?: string | undefined;
}

/** Opaque JSON, read only by the interpreter. Stored in the row of the execution. */
export type InterpreterState = JsonValue;

/** An input of the interpreter. Events that no longer matter, such as the timer of an ended step, change nothing. */
export type EngineEvent =
  | {
      readonly type: 'task-completed';
      readonly step: StepPath;
      readonly attempt: number;
      readonly output: JsonValue;
      readonly at: string;
    }
  | {
      readonly type: 'task-failed';
      readonly step: StepPath;
      readonly attempt: number;
      readonly error: WorkflowError;
      /** If true, `try` does not catch it. */
      readonly fatal?: boolean;
      readonly at: string;
    }
  | { readonly type: 'timer-fired'; readonly timer: string; readonly at: string }
  | {
      readonly type: 'event-received';
      readonly wait: string;
      readonly events: readonly CloudEvent[];
      readonly at: string;
    }
  /** Responds to a `continue` command. */
  | { readonly type: 'continue'; readonly at: string }
  /**
   * The worker that ran the execution has died. The interpreter requests every open `run-task` again, with the same
   * attempt and key.
   */
  | { readonly type: 'recover'; readonly at: string };

/** An output of the interpreter, for the worker to execute. */
export type Command =
  /**
   * Runs an external task: an HTTP call, a script, a sub-workflow. `idempotencyKey` stays the same when the attempt is
   * repeated after a crash.
   */
  | {
      readonly type: 'run-task';
      readonly step: StepPath;
      readonly name: string;
      readonly attempt: number;
      readonly task: ExternalTask;
      readonly idempotencyKey: string;
    }
  | { readonly type: 'cancel-task'; readonly step: StepPath }
  | { readonly type: 'start-timer'; readonly timer: string; readonly at: string }
  | { readonly type: 'cancel-timer'; readonly timer: string }
  /** Waits for events. A wait occupies neither a worker nor a connection. */
  | {
      readonly type: 'listen';
      readonly wait: string;
      readonly step: StepPath;
      readonly filters: readonly EventFilter[];
      readonly mode: 'all' | 'any' | 'one';
      /** Approval policy. If set, only the event of a decision continues the wait. */
      readonly approval?: ApprovalPolicy | undefined;
    }
  | { readonly type: 'stop-listening'; readonly wait: string }
  /** The id is derived from execution, step and attempt, so a duplicate after a crash has the same id. */
  | { readonly type: 'emit'; readonly event: CloudEvent; readonly step: StepPath }
  /** The advance reached its limit: write its state, then call again with a `continue` event. */
  | { readonly type: 'continue' }
  | { readonly type: 'complete'; readonly output: JsonValue }
  | { readonly type: 'fail'; readonly error: WorkflowError };

export type StepStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'skipped';

/** A change of a step, for the trace. */
export interface StepRecord {
  readonly step: StepPath;
  readonly name: string;
  /** Key of the task kind: `set`, `call`, `for` … */
  readonly kind: string;
  readonly status: StepStatus;
  readonly attempt: number;
  readonly at: string;
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  readonly error?: WorkflowError;
}

/** Result of one advance: the new state, commands and step records. */
export interface Advance {
  readonly state: InterpreterState;
  readonly commands: readonly Command[];
  readonly steps: readonly StepRecord[];
  /** True if there is nothing to do before a timer fires or an event arrives, or if the run has ended. */
  readonly idle: boolean;
  /** Events that were not handled because earlier ones used up the step limit. Pass them again in the next call. */
  readonly left?: readonly EngineEvent[];
}

/** Pure except for the cost of `evaluate`: it uses no clock, store or network. */
export interface Interpreter {
  start(definition: WorkflowDefinition, run: RunContext, at: string, limits?: AdvanceLimits): Promise<Advance>;
  advance(
    definition: WorkflowDefinition,
    run: RunContext,
    state: InterpreterState,
    /** One event, or several in order. A single call for several events is cheaper than one call per event. */
    events: EngineEvent | readonly EngineEvent[],
    limits?: AdvanceLimits,
  ): Promise<Advance>;
}

/** Limits of one call. */
export interface AdvanceLimits {
  /**
   * Number of steps that may begin. With 0, events can still end steps, so a run can be suspended without losing
   * outcomes.
   */
  readonly steps: number;
}

/** A workflow of the Serverless Workflow DSL 1.0: parsed, valid, and limited to supported features. */
export type WorkflowDefinition = Readonly<Record<string, JsonValue>>;
