import { expect, test } from 'vitest';
import { eventMerges } from '#analytics/clickhouse/migrations/0004-event-merges.ts';
import { EVENT_MERGES } from '#analytics/clickhouse/tables/events.ts';
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

const SETTINGS = Object.entries(EVENT_MERGES).map(([name, value]) => `${name} = ${value}`);

test('a table of before is merged as a new one, also when the step is done twice', async () => {
  const wanted = await engine();
  for (const setting of SETTINGS) expect(wanted).toContain(setting);
  const names = Object.keys(EVENT_MERGES);
  await clickhouse.command('go back', `ALTER TABLE ${clickhouse.table('events')} RESET SETTING ${names.join(', ')}`);
  for (const name of names) expect(await engine()).not.toContain(name);
  const context = { clickhouse, retentionDays: 90 };
  await Promise.all([eventMerges.run(context), eventMerges.run(context)]);
  await eventMerges.run(context);
  for (const setting of SETTINGS) expect(await engine()).toContain(setting);
});
