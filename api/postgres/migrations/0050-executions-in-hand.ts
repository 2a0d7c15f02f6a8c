import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * What is in hand, and what of it is to end, each in an order that no other index has: then no plan can take the index of all ids for it, which
 * passes a million that have ended. A lease is renewed within its page still: nothing of this changes while one is in hand.
 */
export const executionsInHand: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`DROP INDEX executions_held`.execute(db);
    await sql`CREATE INDEX executions_held ON executions (queued_at, id) WHERE status IN ('running', 'finalizing')`.execute(
      db,
    );
    await sql`DROP INDEX executions_to_cancel`.execute(db);
    await sql`
      CREATE INDEX executions_to_cancel ON executions (cancel_requested_at)
      WHERE status IN ('waiting', 'running', 'finalizing') AND cancel_requested_at IS NOT NULL`.execute(db);
  },
};
