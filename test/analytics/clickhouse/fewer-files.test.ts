import { expect, test } from 'vitest';
import { accepted, callback, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const lane = { topic: 'files', partition: 0 };
const SETTINGS = ['packed_skip_index_max_bytes', 'write_marks_for_substreams_in_compact_parts'];

/** Files of the newest part, from the checksums that the server keeps of it. */
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

test('a block is written into two thirds of the files of the default settings', async () => {
  const fewer = await filesAfterLanding(0);
  await clickhouse.command('go back', `ALTER TABLE ${clickhouse.table('events')} RESET SETTING ${SETTINGS.join(', ')}`);
  const before = await filesAfterLanding(1);
  expect(fewer).toBeLessThan(before * 0.7);
});
