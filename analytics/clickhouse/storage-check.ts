import type { ClickHouse } from './client.ts';
import { eventsTable } from './tables/events.ts';

/** Returns the engine of the table of events, or undefined before the first migration. */
export async function engineOfEvents(clickhouse: ClickHouse): Promise<string | undefined> {
  const [table] = await clickhouse.rows<{ engine: string }>(
    'read the engine of the events',
    'SELECT engine FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { params: { database: clickhouse.database, table: eventsTable.name } },
  );
  return table?.engine;
}

/**
 * Returns the reasons why reads would not see every acknowledged insert, given the engine of the tables and the value
 * of `CLICKHOUSE_CLOUD`.
 */
export function storageProblems(engine: string | undefined, cloud: boolean): string[] {
  if (engine === undefined) return [];
  const isShared = engine.startsWith('Shared');
  if (cloud && !isShared)
    return [
      `CLICKHOUSE_CLOUD is set, and the table of events has the engine ${engine}: only SharedMergeTree of ClickHouse Cloud reads its latest state on request`,
    ];
  if (!cloud && isShared)
    return [`the table of events has the engine ${engine} of ClickHouse Cloud: set CLICKHOUSE_CLOUD=true`];
  return [];
}
