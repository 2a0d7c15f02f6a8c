import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The caller that started an execution, as the audit log names it; null: a trigger or another execution, or a start before this column. */
export const executionStarters: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE executions ADD COLUMN started_by text`.execute(db);
  },
};
