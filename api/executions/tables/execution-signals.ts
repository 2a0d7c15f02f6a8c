import type { ColumnType, Generated } from 'kysely';
import type { EventFilter } from '../engine/contract/cloud-event.ts';
import type { JsonColumn } from './executions.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    executionTimers: ExecutionTimersTable;
    executionWaits: ExecutionWaitsTable;
    executionEvents: ExecutionEventsTable;
    executionSignals: ExecutionSignalsTable;
    executionIdempotency: ExecutionIdempotencyTable;
  }
}

/** Timers of executions. Fired timers are kept, because a replay fires them immediately. */
export interface ExecutionTimersTable {
  executionId: string;
  timer: string;
  fireAt: Date;
  firedAt: Date | null;
}

/** Open waits of executions. */
export interface ExecutionWaitsTable {
  executionId: string;
  wait: string;
  step: string;
  mode: 'all' | 'any' | 'one';
  filters: ColumnType<readonly EventFilter[], string, string>;
  /** Event types that its filters may match, for routing; `*` if a filter names none. */
  eventTypes: string[];
  /** Lane of the execution. */
  lane: string;
  /** True if events stored before the wait have been matched against it. */
  searched: Generated<boolean>;
  createdAt: Generated<Date>;
}

/**
 * Received CloudEvents. They are kept for a time, because an execution may begin to wait just after an event arrives.
 */
export interface ExecutionEventsTable {
  seq: Generated<number>;
  source: string;
  eventId: string;
  type: string;
  /** Lane of the executions that may receive it; null for all. */
  lane: string | null;
  event: JsonColumn;
  /** Length of the causal chain of the execution that sent it; 0 for external events. */
  causation: Generated<number>;
  /** Trace context that executions started by it continue; see `storedTrace`. */
  trace: string | null;
  routed: Generated<boolean>;
  receivedAt: Generated<Date>;
}

/** A signal to an execution: an event that may match one of its waits, or the outcome of a child. */
export interface ExecutionSignalsTable {
  id: Generated<number>;
  executionId: string;
  kind: 'event' | 'child';
  /** The wait, or the step that runs the child. */
  target: string;
  attempt: number | null;
  eventSeq: number | null;
  /** The event, or the outcome of the child. */
  payload: JsonColumn;
  delivered: Generated<boolean>;
  /** True if the execution consumed it, so no other wait of it receives it. */
  consumed: Generated<boolean>;
  createdAt: Generated<Date>;
}

/** Idempotency keys of callers, for 24 h. */
export interface ExecutionIdempotencyTable {
  /** The value that `actorOf` returns. */
  caller: string;
  key: string;
  /** SHA-256 of the request body. */
  bodyHash: string;
  executionId: string;
  createdAt: Generated<Date>;
}
