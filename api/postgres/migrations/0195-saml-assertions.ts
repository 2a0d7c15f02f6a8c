import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * SAML assertions that were accepted. None is accepted twice while it is valid; `account` waits, for a short time, for the browser that asked.
 */
export const samlAssertions: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE saml_assertions (
        provider text NOT NULL,
        assertion_id text NOT NULL,
        code_hash bytea UNIQUE,
        request_id text,
        account jsonb,
        accepted_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        PRIMARY KEY (provider, assertion_id)
      )`.execute(db);
    await sql`CREATE INDEX saml_assertions_by_expiry ON saml_assertions (expires_at)`.execute(db);
  },
};
