import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Executions and jobs whose worker died while it held them are suspects: `losses` counts these deaths, `alone` marks a claim during which the worker holds
 * nothing else, and `crashes` counts the deaths of workers that held this execution alone.
 */
export const suspects: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      ALTER TABLE executions ADD COLUMN alone boolean NOT NULL DEFAULT false, ADD COLUMN crashes integer NOT NULL DEFAULT 0`.execute(
      db,
    );
    await sql`
      CREATE INDEX executions_suspects ON executions (losses DESC, queued_at) WHERE status = 'pending' AND losses > 0`.execute(
      db,
    );
    await sql`
      ALTER TABLE jobs ADD COLUMN alone boolean NOT NULL DEFAULT false, ADD COLUMN losses integer NOT NULL DEFAULT 0`.execute(
      db,
    );
    await sql`CREATE INDEX jobs_suspects ON jobs (losses DESC, run_at) WHERE state = 'waiting' AND losses > 0`.execute(
      db,
    );
  },
};
