import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import type { ClickHouseService } from '../support/services/clickhouse.ts';
import { randomName } from './feed.ts';

/** Gives `use` a migrated database of its own and drops it afterwards. */
export async function withFreshDatabase<T>(
  service: ClickHouseService,
  use: (clickhouse: ClickHouse) => Promise<T>,
): Promise<T> {
  const clickhouse = createClickHouse({ ...service, database: randomName('bench') });
  try {
    await migrate(clickhouse);
    return await use(clickhouse);
  } finally {
    await clickhouse.command('drop the database', `DROP DATABASE IF EXISTS \`${clickhouse.database}\` SYNC`);
    await clickhouse.close();
  }
}

/** Rows in the table `events`; ClickHouse answers this from its metadata. */
export async function landedEvents(clickhouse: ClickHouse): Promise<number> {
  const [row] = await clickhouse.rows<{ landed: string }>(
    'count what has landed',
    `SELECT count() AS landed FROM ${clickhouse.table('events')}`,
  );
  return Number(row?.landed);
}
