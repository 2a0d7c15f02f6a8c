import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Rows that tries to sign in are written to when there is no account to count them on: a known address and an unknown one cost the
 * same write. Accounts and decoys are updated in place, within their page.
 */
export const signInDecoys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    // Rows like those of accounts, with the same checks: they are as large, and take as long to write.
    await sql`
      CREATE TABLE sign_in_decoys (
        slot integer PRIMARY KEY,
        LIKE users INCLUDING DEFAULTS INCLUDING CONSTRAINTS
      ) WITH (fillfactor = 80)`.execute(db);
    await sql`
      INSERT INTO sign_in_decoys (slot, username, email, password_hash)
      SELECT slot, 'decoy-' || slot, 'decoy-' || slot || '@trapline.invalid', repeat('-', 60)
      FROM generate_series(0, 1023) AS slot`.execute(db);
    await sql`ALTER TABLE users SET (fillfactor = 80)`.execute(db);
  },
};
