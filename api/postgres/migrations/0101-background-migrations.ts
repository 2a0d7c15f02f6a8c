import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How far changes of many rows are, which are made in steps while processes work. */
export const backgroundMigrations: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE background_migrations (
        name text PRIMARY KEY CHECK (length(name) <= 100),
        total bigint NOT NULL CHECK (total >= 0),
        changed bigint NOT NULL DEFAULT 0 CHECK (changed >= 0),
        cursor text CHECK (length(cursor) <= 1000),
        started_at timestamptz NOT NULL DEFAULT now(),
        progressed_at timestamptz NOT NULL DEFAULT now(),
        finished_at timestamptz
      )`.execute(db);
  },
};
