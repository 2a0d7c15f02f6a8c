import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Who decides for a wait, where the workflow says it, and who has decided. */
export const approvals: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE execution_approvals (
        execution_id text NOT NULL,
        wait text NOT NULL,
        policy jsonb NOT NULL,
        PRIMARY KEY (execution_id, wait)
      )`.execute(db);
    await sql`
      CREATE TABLE execution_decisions (
        execution_id text NOT NULL,
        wait text NOT NULL,
        decider text NOT NULL,
        user_id uuid,
        username text NOT NULL,
        approved boolean NOT NULL,
        note text,
        final boolean NOT NULL DEFAULT false,
        decided_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (execution_id, wait, decider)
      )`.execute(db);
    await sql`CREATE INDEX execution_decisions_by_user ON execution_decisions (user_id, execution_id)`.execute(db);
  },
};
