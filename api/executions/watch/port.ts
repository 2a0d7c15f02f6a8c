import type { ExecutionStatus } from '#schemas/api/execution-status.ts';
import type { StepStatus } from '../engine/contract/port.ts';
import type { WorkflowError } from '../engine/contract/workflow-error.ts';
import type { JsonValue } from '../json-value.ts';
import type { LogLine } from '../sandbox/port.ts';
import type { ReplyWanted } from '../store/replies.ts';

/**
 * An entry in the trace of an execution. `seq` is monotonic: a subscriber that has seen entry N requests the entries
 * after N.
 */
export type TraceEntry =
  | {
      readonly kind: 'status';
      readonly executionId: string;
      readonly seq: number;
      readonly from: ExecutionStatus | null;
      readonly status: ExecutionStatus;
      readonly at: Date;
    }
  | {
      readonly kind: 'step';
      readonly executionId: string;
      readonly seq: number;
      readonly step: string;
      readonly name: string;
      readonly taskKind: string;
      readonly status: StepStatus;
      readonly attempt: number;
      /** Increases in the order in which the steps of an execution began. */
      readonly sequence: number;
      /** The step that contains it; null at the top level. */
      readonly parent: { readonly step: string; readonly attempt: number } | null;
      /** Absent if the step has no output, or it is too large for an entry. */
      readonly output?: JsonValue;
      readonly error?: WorkflowError;
      readonly startedAt: Date;
      readonly endedAt: Date | null;
    }
  /** A log line of a script. */
  | {
      readonly kind: 'line';
      readonly executionId: string;
      readonly seq: number;
      readonly step: string;
      readonly level: LogLine['level'];
      readonly text: string;
      readonly at: Date;
    };

/**
 * Watches executions for all waiting callers of a process. They share one query per second at most, and one LISTEN
 * connection. A waiting caller occupies no connection.
 */
export interface ExecutionWatch {
  /**
   * Resolves when the execution has ended (true), after `ms`, when `signal` aborts, or when the watch is closed (all
   * false).
   */
  waitForEnd(executionId: string, options: { readonly ms: number; readonly signal: AbortSignal }): Promise<boolean>;
  /**
   * Resolves when the execution has replied to the event or has ended (true), after `ms`, when `signal` aborts, or when
   * the watch is closed (all false).
   */
  waitForReply(wanted: ReplyWanted, options: { readonly ms: number; readonly signal: AbortSignal }): Promise<boolean>;
  /**
   * Passes stored entries after `after` to `listener`, oldest first, then new ones as they arrive. Waits until
   * `listener` resolves before the next call. Returns a function that unsubscribes. `onClose` is called when the watch
   * is closed.
   */
  follow(executionId: string, options: FollowOptions): () => void;
  /** Number of waits and subscribers. */
  readonly watched: number;
  close(): Promise<void>;
}

export interface FollowOptions {
  /** Sequence number of the last known entry; 0 for none. */
  readonly after: number;
  readonly listener: (entries: readonly TraceEntry[]) => void | Promise<void>;
  readonly onClose: () => void;
}
