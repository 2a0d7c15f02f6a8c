import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The history of a detection names the workflow or agent that changed it, not only the account that owns it. */
export const detectionAutomation: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE detection_changes ADD COLUMN automation text, ADD COLUMN execution_id text`.execute(db);
  },
};
