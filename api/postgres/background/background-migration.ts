import type { Database } from '../database.ts';

/**
 * A change of many rows, or an index of a large table, that would hold locks for long: it is done in steps while processes work. A step may run
 * again after a crash, so it must be idempotent. It runs outside a transaction, so `CREATE INDEX CONCURRENTLY` is possible.
 */
export interface BackgroundMigration {
  /** As migrations are named: `0120-fill-labels`. Never changed after the release. */
  readonly name: string;
  /** How many rows there are to change, for the progress. Called once, at the start. */
  total(database: Database): Promise<number>;
  /**
   * Changes some rows: what takes less than a second. `cursor` is what the step before returned; null at first. Resolves to how many rows
   * it changed, and where the next step continues; `cursor` null: everything is done.
   */
  step(
    database: Database,
    cursor: string | null,
  ): Promise<{ readonly changed: number; readonly cursor: string | null }>;
}

/** In the order they run. */
export const BACKGROUND_MIGRATIONS: readonly BackgroundMigration[] = [];
