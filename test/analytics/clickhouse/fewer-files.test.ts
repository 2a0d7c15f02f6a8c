import { expect, test } from 'vitest';
import { fewerFiles, PART_FILES, setWhereKnown } from '#analytics/clickhouse/migrations/0008-fewer-files.ts';
import { EVENT_MERGES } from '#analytics/clickhouse/tables/events.ts';
import { accepted, callback, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const lane = { topic: 'files', partition: 0 };
const NAMES = Object.keys(PART_FILES);

/** What the last block was written into, by the server's own list of checksums. */
async function filesAfterLanding(offset: number): Promise<number> {
  const block = store.openEvents(lane, Date.now());
  block.append({ offset, accepted: accepted(callback(1), 'h', 1), raw: Buffer.from('{}'), ingestId: '' });
  expect(await store.landEvents(block, offset - 1)).toEqual({ outcome: 'landed' });
  const [row] = await clickhouse.rows<{ files: string }>(
    'count the files of a part',
    `SELECT files FROM system.parts WHERE database = {database:String} AND table = 'events' AND active
     ORDER BY modification_time DESC, min_block_number DESC LIMIT 1`,
    { params: { database: clickhouse.database } },
  );
  return Number(row?.files);
}

async function engineOf(table: string): Promise<string> {
  const [row] = await clickhouse.rows<{ engine_full: string }>(
    'read the settings of a table',
    'SELECT engine_full FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { params: { database: clickhouse.database, table } },
  );
  return row?.engine_full ?? '';
}

test('a block is written into half as many files as by a table of before', async () => {
  const fewer = await filesAfterLanding(0);
  await clickhouse.command('go back', `ALTER TABLE ${clickhouse.table('events')} RESET SETTING ${NAMES.join(', ')}`);
  const before = await filesAfterLanding(1);
  expect(fewer).toBeLessThan(before * 0.6);
  await fewerFiles.run({ clickhouse, retentionDays: 90 });
  expect(await filesAfterLanding(2)).toBe(fewer);
});

test('events of before are merged as new ones are', async () => {
  await clickhouse.command(
    'go back',
    `ALTER TABLE ${clickhouse.table('events')} MODIFY SETTING merge_selector_base = 10`,
  );
  await fewerFiles.run({ clickhouse, retentionDays: 90 });
  expect(await engineOf('events')).toContain(`merge_selector_base = ${EVENT_MERGES.merge_selector_base}`);
});

test('what the server does not know is left out, and the rest is set', async () => {
  await setWhereKnown(clickhouse, 'dead_letter_records', { no_such_setting: 1, old_parts_lifetime: 77 });
  const engine = await engineOf('dead_letter_records');
  expect(engine).toContain('old_parts_lifetime = 77');
  expect(engine).not.toContain('no_such_setting');
  await expect(setWhereKnown(clickhouse, 'no_such_table', { old_parts_lifetime: 77 })).rejects.toThrow(
    'set how a table is kept',
  );
});
