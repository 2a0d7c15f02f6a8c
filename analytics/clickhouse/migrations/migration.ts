import type { ClickHouse } from '../client.ts';

export interface MigrationContext {
  readonly clickhouse: ClickHouse;
  /** For tables that are made in this step; `migrate` brings all tables to the current value afterwards. */
  readonly retentionDays: number;
}

/**
 * One numbered step. It may run twice, and in two processes at the same time, and must leave the same result: every statement is an
 * `IF NOT EXISTS` or a `CREATE OR REPLACE`. A step that has been released is never changed.
 */
export interface Migration {
  readonly number: number;
  readonly name: string;
  run(context: MigrationContext): Promise<void>;
}
