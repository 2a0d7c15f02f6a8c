import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Executions that a user suspends. A suspended one is `waiting` and has the time in `suspended_at`: nothing makes it pending until it is resumed. One that runs
 * first leaves its worker, so it has only the time of the request. One in the queue begins to wait without a run.
 */
export const suspendedExecutions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      ALTER TABLE executions ADD COLUMN suspend_requested_at timestamptz(3), ADD COLUMN suspended_at timestamptz(3)`.execute(
      db,
    );
    await sql`
      INSERT INTO execution_transitions (from_status, to_status) VALUES ('pending', 'waiting') ON CONFLICT DO NOTHING`.execute(
      db,
    );
  },
};
