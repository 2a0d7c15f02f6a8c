import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What the sender called a file that a run was given; `path` is the name of the input. Null where there is no such name. */
export const uploadedNames: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE execution_files ADD COLUMN filename text`.execute(db);
    await sql`ALTER TABLE agent_example_files ADD COLUMN filename text`.execute(db);
  },
};
