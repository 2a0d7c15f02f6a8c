import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Accounts, what they sign in with, and what they may call with. */
export const accounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE users (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        username text NOT NULL CHECK (username ~ '^[A-Za-z0-9_-]{3,32}$'),
        email text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
        password_hash text,
        image text,
        role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'analyst', 'admin')),
        disabled boolean NOT NULL DEFAULT false,
        end_date timestamptz(3),
        failed_login_attempts integer NOT NULL DEFAULT 0,
        lock_until timestamptz(3),
        email_verified boolean NOT NULL DEFAULT false,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(db);
    await sql`CREATE UNIQUE INDEX users_username_key ON users (lower(username))`.execute(db);
    await sql`CREATE UNIQUE INDEX users_email_key ON users (email)`.execute(db);
    await sql`
      CREATE TABLE sessions (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        ip text NOT NULL,
        user_agent text NOT NULL
      )`.execute(db);
    await sql`CREATE INDEX sessions_user ON sessions (user_id)`.execute(db);
    await sql`CREATE INDEX sessions_expiry ON sessions (expires_at)`.execute(db);
    await sql`
      CREATE TABLE api_keys (
        key_id text PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        secret_hash text NOT NULL,
        label text NOT NULL CHECK (length(label) BETWEEN 1 AND 64),
        scopes text[] NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3),
        revoked_at timestamptz(3),
        expires_at timestamptz(3)
      )`.execute(db);
    await sql`CREATE INDEX api_keys_user ON api_keys (user_id, created_at)`.execute(db);
    await sql`
      CREATE TABLE one_time_codes (
        email text PRIMARY KEY,
        code_hash bytea NOT NULL,
        attempts integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL
      )`.execute(db);
    await sql`
      CREATE TABLE reset_tokens (
        token_hash bytea PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL
      )`.execute(db);
    await sql`CREATE INDEX reset_tokens_user ON reset_tokens (user_id)`.execute(db);
    await sql`
      CREATE TABLE oauth_identities (
        provider text NOT NULL,
        subject text NOT NULL,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        email text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (provider, subject)
      )`.execute(db);
    await sql`CREATE INDEX oauth_identities_user ON oauth_identities (user_id)`.execute(db);
    await sql`CREATE TABLE page_views (slug text PRIMARY KEY, views bigint NOT NULL DEFAULT 0)`.execute(db);
  },
};
