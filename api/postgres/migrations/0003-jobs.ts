import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Work for worker processes, claimed by leases. */
export const jobs: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE jobs (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        queue text NOT NULL,
        payload jsonb NOT NULL,
        key text,
        state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed')),
        priority integer NOT NULL DEFAULT 0,
        run_at timestamptz(3) NOT NULL DEFAULT now(),
        attempts integer NOT NULL DEFAULT 0,
        max_attempts integer NOT NULL DEFAULT 5 CHECK (max_attempts > 0),
        epoch integer NOT NULL DEFAULT 0,
        worker text,
        lease_until timestamptz(3),
        last_error text,
        result jsonb,
        request_id text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        finished_at timestamptz(3),
        CHECK ((state = 'running') = (lease_until IS NOT NULL))
      )`.execute(db);
    await sql`CREATE INDEX jobs_waiting ON jobs (queue, priority DESC, run_at, id) WHERE state = 'waiting'`.execute(db);
    await sql`CREATE INDEX jobs_leases ON jobs (lease_until) WHERE state = 'running'`.execute(db);
    await sql`CREATE INDEX jobs_finished ON jobs (finished_at) WHERE state IN ('done', 'failed')`.execute(db);
    await sql`CREATE UNIQUE INDEX jobs_key ON jobs (queue, key) WHERE state IN ('waiting', 'running')`.execute(db);
  },
};
