import { expect, test } from 'vitest';
import { eventMerges } from '#analytics/clickhouse/migrations/0009-event-merges.ts';
import { useDatabase } from './fixture.ts';

const { clickhouse } = await useDatabase();

async function engine(): Promise<string | undefined> {
  const [row] = await clickhouse.rows<{ engine_full: string }>(
    'read the settings of a table',
    `SELECT engine_full FROM system.tables WHERE database = {database:String} AND name = 'events'`,
    { params: { database: clickhouse.database } },
  );
  return row?.engine_full;
}

test('a table of before is merged as seldom as a new one, also when the step is done twice', async () => {
  const wanted = await engine();
  expect(wanted).toContain('merge_selector_base = 10');
  await clickhouse.command('go back', `ALTER TABLE ${clickhouse.table('events')} RESET SETTING merge_selector_base`);
  expect(await engine()).not.toContain('merge_selector_base');
  const context = { clickhouse, retentionDays: 90 };
  await Promise.all([eventMerges.run(context), eventMerges.run(context)]);
  await eventMerges.run(context);
  expect(await engine()).toContain('merge_selector_base = 10');
});
