import type { ExecutionStatus } from './base.ts';

interface EventBase {
  /** To go on behind it. */
  readonly id: string;
  readonly executionId: string;
}

/** The execution came into another state. */
export interface StatusEvent extends EventBase {
  readonly event: 'status';
  readonly from?: ExecutionStatus;
  readonly status: ExecutionStatus;
  readonly at: string;
}

/** A step of a workflow as it is now. */
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

/** What a script said by `console`. */
export interface LineEvent extends EventBase {
  readonly event: 'line';
  readonly step: string;
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly text: string;
  readonly at: string;
}

export type ExecutionEvent = StatusEvent | StepEvent | LineEvent;
