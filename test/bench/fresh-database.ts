import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { randomName } from '../support/random-name.ts';
import type { ClickHouseService } from '../support/services/clickhouse.ts';

/** Runs `use` with a new migrated database, and drops the database afterwards. */
export async function withFreshDatabase<T>(
  service: ClickHouseService,
  use: (clickhouse: ClickHouse) => Promise<T>,
): Promise<T> {
  // Long time limit: a statement that generates a million rows waits for merges.
  const clickhouse = createClickHouse({ ...service, database: randomName('bench'), requestTimeoutMs: 600_000 });
  try {
    await migrate(clickhouse);
    return await use(clickhouse);
  } finally {
    await clickhouse
      .command('drop the database', `DROP DATABASE IF EXISTS \`${clickhouse.database}\` SYNC`)
      .finally(() => clickhouse.close());
  }
}

/** Returns the number of rows in the table `events`, which ClickHouse reads from its metadata. */
export async function landedEvents(clickhouse: ClickHouse): Promise<number> {
  const [row] = await clickhouse.rows<{ landed: string }>(
    'count what has landed',
    `SELECT count() AS landed FROM ${clickhouse.table('events')}`,
  );
  return Number(row?.landed);
}
