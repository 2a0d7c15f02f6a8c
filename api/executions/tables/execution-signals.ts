import type { ColumnType, Generated } from 'kysely';
import type { EventFilter } from '../engine/port.ts';
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

/** Timers of executions. Those that fired are kept: a replay lets them fire at once. */
export interface ExecutionTimersTable {
  executionId: string;
  timer: string;
  fireAt: Date;
  firedAt: Date | null;
}

/** What executions wait for. */
export interface ExecutionWaitsTable {
  executionId: string;
  wait: string;
  step: string;
  mode: 'all' | 'any' | 'one';
  filters: ColumnType<readonly EventFilter[], string, string>;
  /** Types of events it may be about, for routing; `*` where a filter names none. */
  eventTypes: string[];
  /** Of the execution. */
  lane: string;
  /** Events that were there before it have been looked through. */
  searched: Generated<boolean>;
  createdAt: Generated<Date>;
}

/** CloudEvents that came in, kept for a while: an execution may begin to wait for one a moment after it came. */
export interface ExecutionEventsTable {
  seq: Generated<number>;
  source: string;
  eventId: string;
  type: string;
  /** Whose executions it reaches; null: everybody's. */
  lane: string | null;
  event: JsonColumn;
  /** Of the execution that sent it; 0 for what comes from outside. */
  causation: Generated<number>;
  /** What executions that it starts continue; see `storedTrace`. */
  trace: string | null;
  routed: Generated<boolean>;
  receivedAt: Generated<Date>;
}

/** A signal to an execution: an event that one of its waits may match, or the outcome of a child. */
export interface ExecutionSignalsTable {
  id: Generated<number>;
  executionId: string;
  kind: 'event' | 'child';
  /** The wait, or the step that runs the child. */
  target: string;
  attempt: number | null;
  eventSeq: number | null;
  /** The event, or the child's outcome. */
  payload: JsonColumn;
  delivered: Generated<boolean>;
  /** The execution took it: no other wait of it gets it. */
  consumed: Generated<boolean>;
  createdAt: Generated<Date>;
}

/** Idempotency keys of callers, for 24 h. */
export interface ExecutionIdempotencyTable {
  /** As `actorOf` returns it. */
  caller: string;
  key: string;
  /** SHA-256 of what was asked for. */
  bodyHash: string;
  executionId: string;
  createdAt: Generated<Date>;
}
