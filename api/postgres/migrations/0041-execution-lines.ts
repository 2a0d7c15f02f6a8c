import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What scripts of executions say by `console`, among the other entries of the trace. */
export const executionLines: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE execution_lines (
        execution_id text NOT NULL,
        seq bigint NOT NULL,
        step text NOT NULL,
        level text NOT NULL CHECK (level IN ('debug', 'info', 'warn', 'error')),
        text text NOT NULL,
        at timestamptz(3) NOT NULL,
        PRIMARY KEY (execution_id, seq)
      )`.execute(db);
  },
};
