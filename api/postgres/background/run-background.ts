import type { Database } from '../database.ts';
import type { BackgroundMigration } from './background-migration.ts';
import { findBackgroundState, startBackground, writeProgress } from './background-states.ts';

/** Runs unfinished migrations in order, each from its recorded cursor, until all are complete or the signal aborts. */
export async function runBackgroundMigrations(
  database: Database,
  migrations: readonly BackgroundMigration[],
  signal: AbortSignal,
): Promise<{ readonly finished: readonly string[] }> {
  const finished: string[] = [];
  for (const migration of migrations) {
    const { name } = migration;
    const before = await findBackgroundState(database, name);
    if (before?.finishedAt != null) continue;
    if (before === undefined) await startBackground(database, name, await migration.total(database));
    let cursor = before?.cursor ?? null;
    for (;;) {
      if (signal.aborted) return { finished };
      const step = await migration.step(database, cursor);
      const written = await writeProgress(database, { name, from: cursor, ...step });
      // Another process has also done this step, or more, and continues.
      if (!written) return { finished };
      if (step.cursor === null) break;
      cursor = step.cursor;
    }
    finished.push(name);
  }
  return { finished };
}
