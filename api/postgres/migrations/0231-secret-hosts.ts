import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Hosts that a secret may be sent to; null: any. */
export const secretHosts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE execution_secrets ADD COLUMN hosts text[]`.execute(db);
  },
};
