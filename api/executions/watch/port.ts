import type { ExecutionStatus, StepStatus, WorkflowError } from '../engine/port.ts';
import type { JsonValue } from '../json-value.ts';
import type { LogLine } from '../sandbox/port.ts';
import type { ReplyWanted } from '../store/replies.ts';

/** An entry in the trace of an execution. `seq` rises: a follower that has seen entry N asks for the entries after N. */
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
      /** Rises in the order the steps of an execution began. */
      readonly sequence: number;
      /** The step that contains it; null at the top. */
      readonly parent: { readonly step: string; readonly attempt: number } | null;
      /** Absent when the step has none, or when it is too large for an entry. */
      readonly output?: JsonValue;
      readonly error?: WorkflowError;
      readonly startedAt: Date;
      readonly endedAt: Date | null;
    }
  /** A script logged a line. */
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
 * Watches executions for all callers of a process that wait for one. All of them share one query a second at most, and one connection that listens. A
 * caller that waits has no connection of its own.
 */
export interface ExecutionWatch {
  /** Resolves when it has ended, after `ms`, when `signal` aborts, or when the watch is closed; only for the first `true`. */
  waitForEnd(executionId: string, options: { readonly ms: number; readonly signal: AbortSignal }): Promise<boolean>;
  /**
   * Resolves when the execution has replied to the event or has ended, after `ms`, when `signal` aborts, or when the watch is closed; only for the first
   * `true`.
   */
  waitForReply(wanted: ReplyWanted, options: { readonly ms: number; readonly signal: AbortSignal }): Promise<boolean>;
  /**
   * Passes entries after `after` to `listener`, oldest first, and new ones as they come; the next ones only after `listener` has resolved. Returns a function
   * that ends this. `onClose` is called when the watch is closed.
   */
  follow(executionId: string, options: FollowOptions): () => void;
  /** Number of waits and followers. */
  readonly watched: number;
  close(): Promise<void>;
}

export interface FollowOptions {
  /** Sequence number of the last entry that is known; 0: none. */
  readonly after: number;
  readonly listener: (entries: readonly TraceEntry[]) => void | Promise<void>;
  readonly onClose: () => void;
}
