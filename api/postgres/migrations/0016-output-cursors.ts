import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How far each output of detections has come. */
export const outputCursors: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE output_cursors (
        name text PRIMARY KEY,
        state jsonb NOT NULL,
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(db);
  },
};
