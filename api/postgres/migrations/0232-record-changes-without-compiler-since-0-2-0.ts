import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The trigger on executions switches nested loops off, which counts as a cost: a server with LLVM would compile its statements each time they run, also in
 * sessions of a pooler, which take no settings.
 */
export const recordChangesWithoutCompiler: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`ALTER FUNCTION record_execution_changes() SET jit = off`.execute(db);
  },
};
