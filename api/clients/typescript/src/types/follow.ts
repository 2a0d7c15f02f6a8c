import type { ExecutionStatus } from './base.ts';

interface EventBase {
  /** Event id, to resume after it. */
  readonly id: string;
  readonly executionId: string;
}

/** The status of the execution changed. */
export interface StatusEvent extends EventBase {
  readonly event: 'status';
  readonly from?: ExecutionStatus;
  readonly status: ExecutionStatus;
  readonly at: string;
}

/** The current state of a workflow step. */
export interface StepEvent extends EventBase {
  readonly event: 'step';
  /** Path in the definition. */
  readonly step: string;
  readonly name: string;
  readonly kind: string;
  readonly status: 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'skipped';
  readonly attempt: number;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly startedAt: string;
  readonly completedAt?: string;
}

/** A line that a script wrote with `console`. */
export interface LineEvent extends EventBase {
  readonly event: 'line';
  readonly step: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
  readonly at: string;
}

export type ExecutionEvent = StatusEvent | StepEvent | LineEvent;
