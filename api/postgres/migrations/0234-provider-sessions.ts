import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What an identity provider needs to end its own session with the session here, encrypted; null: nothing is to be ended there. */
export const providerSessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE sessions ADD COLUMN provider_session bytea`.execute(db);
    await sql`ALTER TABLE pending_sign_ins ADD COLUMN provider_session bytea`.execute(db);
  },
};
