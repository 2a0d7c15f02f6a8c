import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Detections there are follow an exception that is made or taken away, also when ClickHouse is away just then. */
export const landedExceptions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // What was made before silences what came after it, as it was told then.
    await sql`ALTER TABLE detection_exceptions ADD COLUMN landed boolean NOT NULL DEFAULT true`.execute(db);
    await sql`CREATE INDEX detection_exceptions_to_land ON detection_exceptions (created_at) WHERE NOT landed`.execute(
      db,
    );
  },
};
