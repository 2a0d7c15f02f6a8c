import { expect, test } from 'vitest';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { DEFAULT_RETENTION, migrate } from '#analytics/clickhouse/migrations/migrate.ts';
import { useClickHouse } from '#test/support/use-services.ts';

test('processes that start concurrently all find a complete database, and a second run does nothing', async () => {
  const service = await useClickHouse({ migrated: false });
  const clients = Array.from({ length: 4 }, () =>
    createClickHouse({ ...service, database: `${service.database}_new` }),
  );
  const [clickhouse] = clients as [ReturnType<typeof createClickHouse>];
  try {
    await Promise.all(clients.map((client) => migrate(client)));
    expect(await migrate(clickhouse)).toEqual([]);
    const tables = await clickhouse.rows<{ name: string }>(
      'list tables',
      'SELECT name FROM system.tables WHERE database = {database:String} ORDER BY name',
      { params: { database: clickhouse.database } },
    );
    expect(tables.map((table) => table.name)).toEqual([
      'api_requests',
      'dead_letter_records',
      'dead_letter_redrives',
      'dead_letters',
      'detection_places',
      'detection_records',
      'detection_records_to_places',
      'detection_silences',
      'detection_traces',
      'detection_triage',
      'detections',
      'events',
      'migrations',
      'tracker_snapshots',
    ]);
  } finally {
    await clickhouse.command('drop', `DROP DATABASE IF EXISTS \`${clickhouse.database}\` SYNC`);
    await Promise.all(clients.map((client) => client.close()));
  }
});

test('accepts a database of a newer version with additions only; otherwise rejects it with advice', async () => {
  const service = await useClickHouse({ migrated: false });
  const clickhouse = createClickHouse(service);
  const definitions = () =>
    clickhouse.rows(
      'read definitions',
      'SELECT create_table_query FROM system.tables WHERE database = {database:String}',
      {
        params: { database: clickhouse.database },
      },
    );
  try {
    await migrate(clickhouse);
    const before = await definitions();
    const record = (values: string) =>
      clickhouse.command(
        'record a migration',
        `INSERT INTO ${clickhouse.table('migrations')} (number, name) VALUES ${values}`,
      );
    await record("(9997, 'added')");
    expect(await migrate(clickhouse)).toEqual([]);
    await record("(9999, 'newest-since-99-1-0'), (9998, 'newer-since-99-0-0')");
    await expect(migrate(clickhouse, { ...DEFAULT_RETENTION, events: 7 })).rejects.toMatchObject({
      name: 'ClickHouseTooNew',
      message: `the ClickHouse database ${service.database} was migrated by a newer Trapline (incompatible migrations: 9998 newer-since-99-0-0, 9999 newest-since-99-1-0): start that version, or restore a backup from before it`,
    });
    expect(await definitions()).toEqual(before);
  } finally {
    await clickhouse.close();
  }
});

test('the retention of an existing table follows the configuration', async () => {
  const service = await useClickHouse({ migrated: false });
  const clickhouse = createClickHouse(service);
  const ttl = async (table: string): Promise<string | undefined> => {
    const [row] = await clickhouse.rows<{ ttl: string }>(
      'read',
      "SELECT extract(create_table_query, 'toIntervalDay\\\\((\\\\d+)\\\\)') AS ttl FROM system.tables WHERE database = {database:String} AND name = {table:String}",
      { params: { database: clickhouse.database, table } },
    );
    return row?.ttl;
  };
  try {
    await migrate(clickhouse);
    expect([await ttl('events'), await ttl('detection_records'), await ttl('api_requests')]).toEqual([
      '91',
      '731',
      '31',
    ]);
    await migrate(clickhouse, { ...DEFAULT_RETENTION, events: 7 });
    expect([await ttl('events'), await ttl('tracker_snapshots'), await ttl('dead_letter_records')]).toEqual([
      '8',
      '8',
      '91',
    ]);
  } finally {
    await clickhouse.close();
  }
});

test('the tables have the documented columns', async () => {
  const service = await useClickHouse({ migrated: false });
  const clickhouse = createClickHouse(service);
  await migrate(clickhouse);
  const promised = {
    events:
      'topic partition offset received timestamp hostname type procname pid ip sp file vmastart vmasize trap location signal function_name count level raw',
    detections:
      'id revision rule severity hostname procname file register firstSeen lastSeen crashes suppressedAtLeast message values valuesTotal attack evidenceCount status verdict assignee note exception event',
    dead_letters: 'topic partition offset received code path message raw',
    api_requests:
      'time request_id method route path status duration_us ip user_agent actor user_id key_id bytes scraper cache process',
  };
  for (const [table, names] of Object.entries(promised)) {
    const columns = await clickhouse.rows<{ name: string; type: string }>(
      'describe',
      `DESCRIBE ${clickhouse.table(table)}`,
    );
    expect(columns.map((column) => column.name)).toEqual(expect.arrayContaining(names.split(' ')));
    if (table === 'events')
      expect(columns.find((column) => column.name === 'timestamp')?.type).toBe("DateTime64(9, 'UTC')");
  }
  await clickhouse.close();
});
