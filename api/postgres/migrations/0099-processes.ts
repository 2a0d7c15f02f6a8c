import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What each running process reports about itself, so that one command can compare all of them. Rows of processes that ended are deleted. */
export const processes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE processes (
        id uuid PRIMARY KEY,
        role text NOT NULL CHECK (length(role) <= 32),
        name text NOT NULL CHECK (length(name) <= 253),
        version text NOT NULL CHECK (length(version) <= 64),
        started_at timestamptz NOT NULL DEFAULT now(),
        reported_at timestamptz NOT NULL DEFAULT now(),
        clock_skew_ms integer NOT NULL,
        secrets jsonb NOT NULL DEFAULT '{}',
        free_disk_share double precision CHECK (free_disk_share BETWEEN 0 AND 1)
      )`.execute(db);
  },
};
