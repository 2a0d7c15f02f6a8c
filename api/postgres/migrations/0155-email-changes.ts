import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Changes of an e-mail address that wait for the link sent to the new address. A user has one at most. */
export const emailChanges: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE email_changes (
        user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        token_hash bytea NOT NULL UNIQUE,
        email text NOT NULL CHECK (length(email) <= 254),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL
      )`.execute(db);
  },
};
