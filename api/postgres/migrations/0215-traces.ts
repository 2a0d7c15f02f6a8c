import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Where what follows from an execution, an event or a message of an output continues a trace: `traceparent`, and `tracestate` after a space. */
export const traces: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['executions', 'execution_events', 'output_messages'])
      await sql`ALTER TABLE ${sql.table(table)} ADD COLUMN trace text`.execute(db);
  },
};
