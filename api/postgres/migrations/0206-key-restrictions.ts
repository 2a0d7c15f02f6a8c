import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Rotation, limits, restrictions and usage of API keys. */
export const keyRestrictions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      ALTER TABLE api_keys
        ADD COLUMN previous_hash text,
        ADD COLUMN previous_until timestamptz(3),
        ADD COLUMN rotated_at timestamptz(3),
        ADD COLUMN networks text[] NOT NULL DEFAULT '{}',
        ADD COLUMN resources text[] NOT NULL DEFAULT '{}',
        ADD COLUMN requests_per_minute integer,
        ADD COLUMN requests_per_day integer,
        ADD COLUMN expiry_warned_at timestamptz(3),
        ADD COLUMN leaked_at timestamptz(3)`.execute(db);
    await sql`
      CREATE TABLE key_usage (
        key_id text NOT NULL REFERENCES api_keys ON DELETE CASCADE,
        day date NOT NULL,
        route_group text NOT NULL CHECK (length(route_group) <= 64),
        requests bigint NOT NULL,
        PRIMARY KEY (key_id, day, route_group)
      )`.execute(db);
    await sql`CREATE INDEX key_usage_day ON key_usage (day)`.execute(db);
  },
};
