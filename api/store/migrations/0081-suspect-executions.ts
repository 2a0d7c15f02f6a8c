import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Finds executions whose worker was lost: they are tried one at a time. Almost always empty. */
export const suspectExecutions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`CREATE INDEX executions_suspect ON executions (losses, queued_at) WHERE losses > 0`.execute(db);
  },
};
