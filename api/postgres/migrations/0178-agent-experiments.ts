import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Checks of the runs of examples, and experiments: two versions of an agent over the same examples. */
export const agentExperiments: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE agent_checks (
        agent_id text PRIMARY KEY REFERENCES agents ON DELETE CASCADE,
        checks json NOT NULL,
        updated_by text NOT NULL,
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(db);
    await sql`ALTER TABLE agent_executions ADD COLUMN checks json`.execute(db);
    await sql`
      CREATE TABLE agent_experiments (
        id text PRIMARY KEY CHECK (id ~ '^awp_[0-9A-Za-z]{20}$'),
        agent_id text NOT NULL REFERENCES agents ON DELETE CASCADE,
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
        baseline json NOT NULL,
        candidate json NOT NULL,
        checks json NOT NULL,
        examples integer NOT NULL,
        created_by text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(db);
    await sql`CREATE INDEX agent_experiments_newest ON agent_experiments (agent_id, created_at DESC, id DESC)`.execute(
      db,
    );
  },
};
