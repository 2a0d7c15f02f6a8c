import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A salted slow hash of each secret that all processes of the database must share, to refuse a process with another one. */
export const secretFingerprints: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE secret_fingerprints (
        name text PRIMARY KEY,
        salt bytea NOT NULL,
        hash bytea NOT NULL,
        recorded_at timestamptz NOT NULL DEFAULT now()
      )`.execute(db);
  },
};
