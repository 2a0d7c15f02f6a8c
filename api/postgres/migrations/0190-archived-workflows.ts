import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** When a workflow was deleted. Its versions and executions stay; a release makes it active again. */
export const archivedWorkflows: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE workflows ADD COLUMN archived_at timestamptz(3)`.execute(db);
  },
};
