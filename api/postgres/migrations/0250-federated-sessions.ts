import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The account and the session at the identity provider that a session here began with, so that the provider can end it; logout tokens of providers
 * that were accepted: none is accepted twice while it is valid.
 */
export const federatedSessions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE federated_sessions (
        session_id uuid PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
        provider text NOT NULL,
        subject text NOT NULL,
        sid text
      )`.execute(db);
    await sql`CREATE INDEX federated_sessions_by_subject ON federated_sessions (provider, subject)`.execute(db);
    await sql`CREATE INDEX federated_sessions_by_sid ON federated_sessions (provider, sid) WHERE sid IS NOT NULL`.execute(
      db,
    );
    await sql`ALTER TABLE pending_sign_ins ADD COLUMN provider_subject text, ADD COLUMN provider_sid text`.execute(db);
    await sql`
      CREATE TABLE logout_tokens (
        provider text NOT NULL,
        jti text NOT NULL,
        expires_at timestamptz(3) NOT NULL,
        PRIMARY KEY (provider, jti)
      )`.execute(db);
    await sql`CREATE INDEX logout_tokens_by_expiry ON logout_tokens (expires_at)`.execute(db);
  },
};
