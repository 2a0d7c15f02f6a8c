import type { ColumnType, Generated, Selectable } from 'kysely';

/** `waiting` → `running` → `done` or `failed`; back to `waiting` for another try, or when a lease ends. */
export type JobState = 'waiting' | 'running' | 'done' | 'failed';

/** Work that a worker process does: claimed by a lease, guarded by an epoch. */
export interface JobsTable {
  id: Generated<number>;
  /** The kind of work; names the handler. */
  queue: string;
  payload: ColumnType<unknown, string, never>;
  /** Of two jobs of a queue with the same key only one is taken while the first is neither done nor failed. */
  key: string | null;
  state: Generated<JobState>;
  /** Greater ones first. */
  priority: Generated<number>;
  /** Not before. */
  runAt: Generated<Date>;
  attempts: Generated<number>;
  maxAttempts: Generated<number>;
  /** Raised with every claim: a worker that lost its lease can't write any more. */
  epoch: Generated<number>;
  worker: Generated<string | null>;
  leaseUntil: Generated<Date | null>;
  lastError: Generated<string | null>;
  result: ColumnType<unknown, string | null | undefined, string | null>;
  requestId: Generated<string | null>;
  createdAt: Generated<Date>;
  finishedAt: Generated<Date | null>;
}

export type Job = Selectable<JobsTable>;
