import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

/** Changes are noted in a table, and added up to counts by a function of the database. */
const NOTED = {
  executions: { changes: 'execution_count_changes', fold: 'fold_execution_counts' },
  examples: { changes: 'agent_example_changes', fold: 'fold_agent_example_counts' },
} as const;
export type NotedChanges = keyof typeof NOTED;

/** The most changes that are added up at once: some tenths of a second. */
const FOLDED_AT_ONCE = 20_000;

/** Adds up changes that were noted since the last time. Resolves to how many there were; there may be more. */
export async function foldChanges(db: Db, what: NotedChanges, atMost: number = FOLDED_AT_ONCE): Promise<number> {
  const { changes, fold } = NOTED[what];
  const { rows } = await sql<{ folded: number }>`
    SELECT CASE WHEN EXISTS (SELECT FROM ${sql.table(changes)}) THEN ${sql.raw(fold)}(${atMost}::int) ELSE 0 END AS folded`.execute(
    db,
  );
  return rows[0]?.folded ?? 0;
}

/** Adds up all that was noted before the call. Notes written during the call are left for the next one: with steady writers there would always be more. */
export async function foldAllChanges(db: Db, what: NotedChanges, atMost: number = FOLDED_AT_ONCE): Promise<void> {
  while ((await foldChanges(db, what, atMost)) >= atMost);
}

/**
 * Releases the space of added-up notes. The server does so too, but within a minute: until then each check for notes reads
 * through all that were.
 */
export async function vacuumChanges(db: Db): Promise<void> {
  const tables = Object.values(NOTED).map(({ changes }) => sql.table(changes));
  await sql`VACUUM (SKIP_LOCKED) ${sql.join(tables)}`.execute(db);
}
