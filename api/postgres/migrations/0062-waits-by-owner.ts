import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the executions of a person wait for is listed for him, however many others wait. */
export const waitsByOwner: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`CREATE INDEX execution_waits_by_lane ON execution_waits (lane, execution_id DESC, wait)`.execute(db);
  },
};
