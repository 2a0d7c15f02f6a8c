import type { Database } from '../database.ts';

/**
 * A change of many rows, or an index of a large table, which would hold locks for a long time. It runs in steps while
 * processes are active. A step may run again after a crash, so it must be idempotent. It runs outside a transaction, so
 * `CREATE INDEX CONCURRENTLY` is possible.
 */
export interface BackgroundMigration {
  /** Name in the format of migrations: `0120-fill-labels`. Never changed after the release. */
  readonly name: string;
  /** Returns the number of rows to change, for the progress. Called once, at the start. */
  total(database: Database): Promise<number>;
  /**
   * Changes some rows, in less than a second. `cursor` is the result of the previous step; null at first. Resolves to
   * the number of changed rows and the cursor of the next step. A null cursor means that the migration is complete.
   */
  step(
    database: Database,
    cursor: string | null,
  ): Promise<{ readonly changed: number; readonly cursor: string | null }>;
}

/** In execution order. */
export const BACKGROUND_MIGRATIONS: readonly BackgroundMigration[] = [];
