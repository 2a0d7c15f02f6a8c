import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Second factors of accounts, and sign-ins that wait for one. */
export const secondFactors: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE totp_secrets (
        user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        secret bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        confirmed_at timestamptz(3),
        last_step bigint NOT NULL DEFAULT 0
      )`.execute(db);
    await sql`
      CREATE TABLE recovery_codes (
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        code_hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        used_at timestamptz(3),
        PRIMARY KEY (user_id, code_hash)
      )`.execute(db);
    await sql`
      CREATE TABLE passkeys (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        credential_id text NOT NULL UNIQUE CHECK (length(credential_id) <= 1400),
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text[] NOT NULL,
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
        synced boolean NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3)
      )`.execute(db);
    await sql`CREATE INDEX passkeys_user ON passkeys (user_id)`.execute(db);
    await sql`
      CREATE TABLE passkey_challenges (
        challenge text PRIMARY KEY,
        subject text NOT NULL,
        expires_at timestamptz(3) NOT NULL
      )`.execute(db);
    await sql`CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at)`.execute(db);
    await sql`
      CREATE TABLE pending_sign_ins (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        token_hash bytea NOT NULL UNIQUE,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        step text NOT NULL CHECK (step IN ('verify', 'enrol')),
        method text NOT NULL,
        return_to text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL
      )`.execute(db);
    await sql`CREATE INDEX pending_sign_ins_user ON pending_sign_ins (user_id)`.execute(db);
    await sql`CREATE INDEX pending_sign_ins_expiry ON pending_sign_ins (expires_at)`.execute(db);
    await sql`
      ALTER TABLE sessions
        ADD COLUMN second_factor boolean NOT NULL DEFAULT false,
        ADD COLUMN confirmed_at timestamptz(3)`.execute(db);
  },
};
