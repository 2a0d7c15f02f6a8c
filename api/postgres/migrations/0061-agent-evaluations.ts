import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** How the output of a run is compared with what its example expects, and what came of it. */
export const agentEvaluations: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      ALTER TABLE agent_examples ADD COLUMN comparison text NOT NULL DEFAULT 'subset'
      CHECK (comparison IN ('exact', 'subset', 'schema'))`.execute(db);
    await sql`
      ALTER TABLE agent_executions ADD COLUMN comparison text CHECK (comparison IN ('exact', 'subset', 'schema')),
      ADD COLUMN evaluation json`.execute(db);
  },
};
