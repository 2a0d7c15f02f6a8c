import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';

/** Tables of recorded changes, and the database functions that fold them into counts. */
const NOTED = {
  executions: { changes: 'execution_count_changes', fold: 'fold_execution_counts' },
  examples: { changes: 'agent_example_changes', fold: 'fold_agent_example_counts' },
} as const;
export type NotedChanges = keyof typeof NOTED;

/** Maximum number of changes folded in one statement, which takes some tenths of a second. */
const FOLDED_AT_ONCE = 20_000;

/** Folds recorded changes into the counts. Resolves to the number of folded changes; there may be more. */
export async function foldChanges(db: Db, what: NotedChanges, atMost: number = FOLDED_AT_ONCE): Promise<number> {
  const { changes, fold } = NOTED[what];
  const { rows } = await sql<{ folded: number }>`
    SELECT CASE WHEN EXISTS (SELECT FROM ${sql.table(changes)}) THEN ${sql.raw(fold)}(${atMost}::int) ELSE 0 END AS folded`.execute(
    db,
  );
  return rows[0]?.folded ?? 0;
}

/**
 * Folds all changes recorded before the call. Later changes are left for the next call. Otherwise steady writers would
 * keep it running.
 */
export async function foldAllChanges(db: Db, what: NotedChanges, atMost: number = FOLDED_AT_ONCE): Promise<void> {
  while ((await foldChanges(db, what, atMost)) >= atMost);
}

/**
 * Frees the space of folded changes. Autovacuum would do so within a minute, but until then every check for changes
 * reads the dead rows.
 */
export async function vacuumChanges(db: Db): Promise<void> {
  const tables = Object.values(NOTED).map(({ changes }) => sql.table(changes));
  await sql`VACUUM (SKIP_LOCKED) ${sql.join(tables)}`.execute(db);
}
