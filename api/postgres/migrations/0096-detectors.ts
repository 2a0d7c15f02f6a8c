import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** One-time tokens that hosts exchange for a key, and the detectors of these hosts with what each reported last. */
export const detectors: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE detector_tokens (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
        owner_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        hostname text CHECK (length(hostname) BETWEEN 1 AND 253),
        created_by text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        used_at timestamptz,
        used_by text CHECK (length(used_by) BETWEEN 1 AND 253)
      )`.execute(db);
    await sql`CREATE INDEX detector_tokens_owner ON detector_tokens (owner_id)`.execute(db);
    await sql`
      CREATE TABLE detectors (
        hostname text PRIMARY KEY CHECK (length(hostname) BETWEEN 1 AND 253),
        key_id text NOT NULL UNIQUE REFERENCES api_keys ON DELETE CASCADE,
        enrolled_at timestamptz NOT NULL DEFAULT now(),
        version text CHECK (length(version) <= 64),
        source text CHECK (length(source) <= 64),
        last_seen_at timestamptz,
        lag_ms bigint CHECK (lag_ms >= 0),
        lost_records bigint CHECK (lost_records >= 0),
        settings jsonb NOT NULL DEFAULT '{}'
      )`.execute(db);
  },
};
