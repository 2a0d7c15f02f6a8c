import { type Selectable, sql } from 'kysely';
import type { Database } from '../database.ts';

declare module '../database.ts' {
  interface Tables {
    backgroundMigrations: BackgroundMigrationsTable;
  }
}

interface BackgroundMigrationsTable {
  name: string;
  /** Number of rows to change, counted at the start. */
  total: number;
  changed: number;
  /** Cursor of the next step. Null at the beginning, and after the end. */
  cursor: string | null;
  startedAt: Date;
  /** Time of the last step. */
  progressedAt: Date;
  finishedAt: Date | null;
}

export type BackgroundState = Selectable<BackgroundMigrationsTable>;

/** Returns the started migrations, in order. */
export function listBackgroundStates(database: Database): Promise<BackgroundState[]> {
  return database.selectFrom('backgroundMigrations').selectAll().orderBy('name').execute();
}

/** Returns undefined if it has not started. */
export function findBackgroundState(database: Database, name: string): Promise<BackgroundState | undefined> {
  return database.selectFrom('backgroundMigrations').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Records the start, unless another process has recorded it. */
export async function startBackground(database: Database, name: string, total: number): Promise<void> {
  await sql`INSERT INTO background_migrations (name, total) VALUES (${name}, ${total}) ON CONFLICT DO NOTHING`.execute(
    database,
  );
}

/**
 * Records a step that began at `from`. Returns false if the recorded cursor is different, because the step was already
 * recorded.
 */
export async function writeProgress(
  database: Database,
  { name, from, changed, cursor }: { name: string; from: string | null; changed: number; cursor: string | null },
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE background_migrations SET changed = changed + ${changed}, cursor = ${cursor}, progressed_at = now(),
      finished_at = CASE WHEN ${cursor}::text IS NULL THEN now() END
    WHERE name = ${name} AND finished_at IS NULL AND cursor IS NOT DISTINCT FROM ${from}::text
    RETURNING name`.execute(database);
  return rows.length > 0;
}
