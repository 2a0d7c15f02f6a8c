import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Who runs a workflow that is shared with him sees what he ran, among what others ran: without an index of its own, the few of his would be looked for
 * among a million.
 */
export const executionLists: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE INDEX executions_workflow_owner ON executions (workflow_id, owner_id, created_at DESC, id DESC)
      WHERE kind = 'workflow'`.execute(db);
  },
};
