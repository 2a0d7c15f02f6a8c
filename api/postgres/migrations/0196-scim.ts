import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What an identity provider says of users and groups by SCIM, beyond what an account and a team have anyway. */
export const scim: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE scim_users (
        user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        user_name text NOT NULL CHECK (length(user_name) <= 320),
        external_id text,
        display_name text,
        given_name text,
        family_name text,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        deleted_at timestamptz(3)
      )`.execute(db);
    await sql`CREATE UNIQUE INDEX scim_users_user_name_key ON scim_users (lower(user_name))`.execute(db);
    await sql`CREATE INDEX scim_users_by_external_id ON scim_users (external_id)`.execute(db);
    await sql`
      CREATE TABLE scim_groups (
        team_id text PRIMARY KEY REFERENCES teams ON DELETE CASCADE,
        display_name text NOT NULL,
        external_id text
      )`.execute(db);
  },
};
