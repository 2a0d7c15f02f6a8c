import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Rows that tries to sign in are written to when there is no account to count them on: a known address and an unknown one cost the
 * same write. Accounts and decoys are updated in place, within their page.
 */
export const signInDecoys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE sign_in_decoys (
        slot integer PRIMARY KEY,
        at timestamptz(3) NOT NULL DEFAULT now()
      ) WITH (fillfactor = 50)`.execute(db);
    await sql`INSERT INTO sign_in_decoys (slot) SELECT generate_series(0, 1023)`.execute(db);
    await sql`ALTER TABLE users SET (fillfactor = 80)`.execute(db);
  },
};
