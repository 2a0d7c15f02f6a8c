import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Times in which a component did not work as it should. A component has one open incident at most. */
export const statusIncidents: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE status_incidents (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        component text NOT NULL,
        state text NOT NULL CHECK (state IN ('degraded', 'down')),
        started_at timestamptz(3) NOT NULL DEFAULT now(),
        ended_at timestamptz(3)
      )`.execute(db);
    await sql`CREATE UNIQUE INDEX status_incidents_open ON status_incidents (component) WHERE ended_at IS NULL`.execute(
      db,
    );
    await sql`CREATE INDEX status_incidents_by_start ON status_incidents (started_at)`.execute(db);
  },
};
