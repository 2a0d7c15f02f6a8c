import { expect, test } from 'vitest';
import { detectorHabits } from '#analytics/clickhouse/read-models/detector-habits.ts';
import { LOCAL_TOPICS } from '#schemas/topics.ts';
import { accepted, callback, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const HOUR = 3_600_000;
const now = Math.floor(Date.now() / HOUR) * HOUR;

/** Inserts one event of the host for each of these hours before now, into a topic of its own. */
async function heard(topic: string, hostname: string | null, hoursAgo: readonly number[]): Promise<void> {
  let mark = -1;
  for (const [offset, ago] of [...hoursAgo].sort((a, b) => b - a).entries()) {
    const block = store.openEvents({ topic, partition: 0 }, now - ago * HOUR);
    const at = accepted(callback(offset), hostname, (now - ago * HOUR) / 1_000);
    block.append({ offset, accepted: at, raw: Buffer.from('{}'), ingestId: '' });
    const landed = await store.landEvents(block, mark);
    expect(landed.outcome).toBe('landed');
    mark = offset;
  }
}

const each = (from: number, count: number, step = 1) => Array.from({ length: count }, (_, i) => from + i * step);

test('returns hosts with a regular pattern, silent ones first, with their longest usual gap', async () => {
  await heard('busy', 'busy', each(0, 24));
  await heard('sparse', 'sparse', each(30, 24, 5));
  await heard('rare', 'rare', each(0, 5, 40));
  await heard('nameless', null, each(0, 24));
  await heard(`${LOCAL_TOPICS.demo}.this`, 'demo', each(0, 24));
  await heard('gone', 'gone', each(14 * 24 + 1, 24));
  expect(await detectorHabits(clickhouse, now + HOUR / 2)).toEqual([
    { hostname: 'sparse', lastMs: now - 30 * HOUR, usualGapSeconds: 5 * 3_600 },
    { hostname: 'busy', lastMs: now, usualGapSeconds: 3_600 },
  ]);
});

test('a name is a value, with any characters', async () => {
  const name = `a"b\\c'd\n\u{1f600}`;
  await heard('odd', name, each(1, 24));
  expect((await detectorHabits(clickhouse, now)).map(({ hostname }) => hostname)).toContain(name);
});
