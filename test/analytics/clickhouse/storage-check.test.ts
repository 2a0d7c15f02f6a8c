import { expect, test } from 'vitest';
import { connectClickHouse } from '#analytics/clickhouse/connect.ts';
import { engineOfEvents, storageProblems } from '#analytics/clickhouse/storage-check.ts';
import { useClickHouse } from '#test/support/use-services.ts';
import { landRange, useDatabase } from './fixture.ts';

test.each<[string, string | undefined, boolean, number]>([
  ['one server', 'ReplacingMergeTree', false, 0],
  ['ClickHouse Cloud', 'SharedReplacingMergeTree', true, 0],
  ['before the first migration', undefined, true, 0],
  ['one server taken for ClickHouse Cloud', 'ReplacingMergeTree', true, 1],
  ['replicas taken for ClickHouse Cloud', 'ReplicatedReplacingMergeTree', true, 1],
  ['ClickHouse Cloud taken for one server', 'SharedReplacingMergeTree', false, 1],
])('%s', (_, engine, cloud, problems) => {
  expect(storageProblems(engine, cloud)).toHaveLength(problems);
});

// SharedMergeTree exists only in ClickHouse Cloud. This server accepts the setting and ignores it.
test('every query of a ClickHouse Cloud client requests sequential consistency', async () => {
  const { clickhouse, store } = await useDatabase();
  await landRange(store, { topic: 'cloud', partition: 0 }, 0, 1, -1);
  const service = await useClickHouse({ migrated: false });
  const cloud = connectClickHouse({ ...service, database: clickhouse.database, shards: [[service.url]], cloud: true });
  try {
    const asked = await cloud.rows('read a setting', `SELECT getSetting('select_sequential_consistency') AS value`);
    expect(asked).toEqual([{ value: 1 }]);
    expect(
      await cloud.rows('count', `SELECT count() AS c FROM ${cloud.table('events')} WHERE topic = 'cloud'`),
    ).toEqual([{ c: '2' }]);
    expect(await engineOfEvents(cloud)).toBe('ReplacingMergeTree');
  } finally {
    await cloud.close();
  }
});
