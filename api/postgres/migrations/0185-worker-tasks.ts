import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Tasks of workflows that run in processes of users, and the workers that asked for such tasks. */
export const workerTasks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE worker_tasks (
        id text PRIMARY KEY,
        seq bigint GENERATED ALWAYS AS IDENTITY,
        execution_id text NOT NULL,
        step text NOT NULL,
        attempt integer NOT NULL,
        workflow_id text NOT NULL,
        lane uuid NOT NULL,
        queue text NOT NULL CHECK (length(queue) <= 63),
        type text NOT NULL CHECK (length(type) <= 63),
        name text NOT NULL,
        idempotency_key text NOT NULL,
        input json,
        input_bytes integer NOT NULL,
        deadline timestamptz(3),
        priority smallint NOT NULL DEFAULT 0,
        status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'leased', 'completed', 'failed', 'cancelled')),
        epoch integer NOT NULL DEFAULT 0,
        losses smallint NOT NULL DEFAULT 0,
        worker text,
        lease_until timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        ended_at timestamptz(3),
        CHECK ((status = 'leased') = (lease_until IS NOT NULL)),
        CHECK ((status IN ('waiting', 'leased')) = (ended_at IS NULL))
      )`.execute(db);
    await sql`CREATE UNIQUE INDEX worker_tasks_of_step ON worker_tasks (execution_id, step, attempt)`.execute(db);
    await sql`
      CREATE INDEX worker_tasks_waiting ON worker_tasks (lane, queue, priority DESC, seq) WHERE status = 'waiting'`.execute(
      db,
    );
    await sql`
      CREATE INDEX worker_tasks_waiting_of_workflow ON worker_tasks (workflow_id, queue, priority DESC, seq)
      WHERE status = 'waiting'`.execute(db);
    await sql`CREATE INDEX worker_tasks_leased ON worker_tasks (lease_until) WHERE status = 'leased'`.execute(db);
    await sql`CREATE INDEX worker_tasks_ended ON worker_tasks (ended_at) WHERE ended_at IS NOT NULL`.execute(db);
    await sql`
      CREATE TABLE workers_seen (
        lane uuid NOT NULL,
        queue text NOT NULL,
        worker text NOT NULL,
        first_seen_at timestamptz(3) NOT NULL DEFAULT now(),
        last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (lane, queue, worker)
      )`.execute(db);
    await sql`CREATE INDEX workers_seen_age ON workers_seen (last_seen_at)`.execute(db);
  },
};
