import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Lists are read from indexes alone as far as the server knows of a page that everybody sees all of it, and it learns that by a vacuum. By itself it
 * comes when a fifth of a table is new, and that fifth is what people look at; so it comes at a fiftieth.
 */
export const visibleExecutions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE executions SET (autovacuum_vacuum_insert_scale_factor = 0.02)`.execute(db);
    await sql`
      ALTER TABLE agent_executions SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02,
        autovacuum_analyze_scale_factor = 0.05)`.execute(db);
  },
};
