import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import { removeSource } from '#analytics/clickhouse/remove-source.ts';
import { landRange, numbered, offsets, upTo, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const rival = createLandingStore({ clickhouse });
const DAY = 86_400_000;

describe('the chain of a lane', () => {
  test('begins at -1 and grows block by block', async () => {
    const lane = { topic: 'grows', partition: 7 };
    expect(await store.marks(lane)).toEqual({ events: -1, deadLetters: -1 });
    expect(await landRange(store, lane, 0, 9, -1)).toEqual({ outcome: 'landed' });
    expect(await landRange(store, lane, 12, 19, 9)).toEqual({ outcome: 'landed' });
    expect(await store.marks(lane)).toEqual({ events: 19, deadLetters: -1 });
    expect(await store.marks({ ...lane, partition: 8 })).toEqual({ events: -1, deadLetters: -1 });
  });

  test('accepts a block once, however often it is sent', async () => {
    const lane = { topic: 'repeats', partition: 0 };
    const block = store.openEvents(lane, Date.now());
    for (const offset of upTo(99)) block.append(numbered(offset));
    const outcomes = await Promise.all([
      store.landEvents(block, -1),
      store.landEvents(block, -1),
      rival.landEvents(block, -1),
    ]);
    expect(outcomes.every((answer) => answer.outcome === 'landed')).toBe(true);
    expect(await store.landEvents(block, -1)).toEqual({ outcome: 'landed' });
    expect(await offsets(clickhouse, lane)).toEqual(upTo(99));
  });

  test('fences a writer whose high-water mark is not the last row', async () => {
    const lane = { topic: 'fences', partition: 0 };
    await landRange(store, lane, 0, 4, -1);
    expect(await landRange(rival, lane, 5, 9, 4)).toEqual({ outcome: 'landed' });
    expect(await landRange(store, lane, 5, 7, 4)).toEqual({ outcome: 'fenced' });
    expect(await landRange(store, lane, 10, 11, 9)).toEqual({ outcome: 'landed' });
    expect(await offsets(clickhouse, lane)).toEqual(upTo(11));
  });

  test('fences across midnight: rivals with the same mark collide, whatever the day of receipt', async () => {
    const lane = { topic: 'midnight', partition: 0 };
    const evening = Math.floor(Date.now() / DAY) * DAY - 1_000;
    await landRange(store, lane, 0, 4, -1, evening);
    await rival.marks(lane);
    const [late, early] = await Promise.all([
      landRange(store, lane, 5, 9, 4, evening + 500),
      landRange(rival, lane, 5, 12, 4, evening + 1_500),
    ]);
    expect([late.outcome, early.outcome].sort()).toEqual(['fenced', 'landed']);
    const mark = (await store.marks(lane)).events;
    expect(await offsets(clickhouse, lane)).toEqual(upTo(mark));
    const days = await clickhouse.rows<{ day: string }>(
      'read',
      `SELECT DISTINCT toString(landing_day) AS day FROM ${clickhouse.table('events')} WHERE topic = 'midnight' ORDER BY day`,
    );
    expect(days.map((row) => row.day)).toEqual(['1970-01-01', new Date(evening).toISOString().slice(0, 10)]);
  });

  test('continues where an operator has deleted the last rows', async () => {
    const lane = { topic: 'deleted', partition: 0 };
    await landRange(store, lane, 0, 4, -1);
    await clickhouse.command('delete', `DELETE FROM ${clickhouse.table('events')} WHERE topic = 'deleted'`);
    expect(await store.marks(lane)).toEqual({ events: -1, deadLetters: -1 });
    expect(await landRange(store, lane, 0, 4, -1)).toEqual({ outcome: 'landed' });
    expect(await offsets(clickhouse, lane)).toEqual(upTo(4));
  });

  test('continues after any number of removals of a source, such as the demo', async () => {
    const lane = { topic: 'demo again', partition: 0 };
    for (let time = 0; time < 3; time++) {
      expect(await landRange(store, lane, 0, 4, -1)).toEqual({ outcome: 'landed' });
      await removeSource(clickhouse, lane.topic, 'unknown');
    }
  });

  test('works for dead letters too', async () => {
    const lane = { topic: 'refused', partition: 0 };
    const block = (first: number, last: number) => {
      const opened = store.openDeadLetters(lane, Date.now());
      for (let offset = first; offset <= last; offset++) {
        const rejection = { ok: false, code: 'malformed_json', path: '$', message: 'the record is not JSON' } as const;
        opened.append({ offset, rejection, raw: Buffer.from([0, 255, offset]), key: Buffer.from([254]), ingestId: '' });
      }
      return opened;
    };
    expect(await store.landDeadLetters(block(0, 3), -1)).toEqual({ outcome: 'landed' });
    expect(await rival.landDeadLetters(block(0, 1), -1)).toEqual({ outcome: 'fenced' });
    expect(await store.marks(lane)).toEqual({ events: -1, deadLetters: 3 });
  });

  test('rejects rows out of order, and blocks of others', async () => {
    const block = store.openEvents({ topic: 'order', partition: 0 }, Date.now());
    block.append(numbered(3));
    expect(() => block.append(numbered(3))).toThrow(RangeError);
    await expect(async () =>
      store.landEvents({ rows: 1, bytes: 1, firstOffset: 0, lastOffset: 0, release() {} }, -1),
    ).rejects.toThrow(TypeError);
  });
});

test('of two owners who race on a lane exactly one wins each step, and every offset is stored once', async () => {
  const lane = { topic: 'race', partition: 0 };
  const last = 160;
  let fenced = 0;

  async function run(owner: typeof store, sizes: number): Promise<void> {
    let mark = (await owner.marks(lane)).events;
    for (let step = 0; mark < last; step++) {
      const end = Math.min(last, mark + 1 + ((step * 7) % sizes));
      const answer = await landRange(owner, lane, mark + 1, end, mark);
      if (answer.outcome === 'fenced') fenced++;
      mark = answer.outcome === 'landed' ? end : (await owner.marks(lane)).events;
    }
  }

  await Promise.all([run(store, 11), run(rival, 6), run(createLandingStore({ clickhouse }), 3)]);
  expect(await offsets(clickhouse, lane)).toEqual(upTo(last));
  expect(fenced).toBeGreaterThan(8);
});

// Regression: after the clock was set back, the age of cached marks was negative, so they were trusted for an hour.
test('reads the last row again after a while, also when the clock was set back in between', async () => {
  const own = await useDatabase();
  const lane = { topic: 'set back', partition: 0 };
  await landRange(own.store, lane, 0, 4, -1);
  const other = createLandingStore({ clickhouse: own.clickhouse });
  expect(await landRange(other, lane, 5, 9, 4)).toEqual({ outcome: 'landed' });
  // Simulates so many later blocks that the server no longer remembers the token of the other writer.
  const table = own.clickhouse.table('events');
  await own.clickhouse.command('set', `ALTER TABLE ${table} MODIFY SETTING non_replicated_deduplication_window = 0`);
  const [monotonic, now] = [performance.now.bind(performance), Date.now()];
  const clocks = [
    vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + 60_000),
    vi.spyOn(Date, 'now').mockReturnValue(now - 3_600_000),
  ];
  onTestFinished(() => {
    for (const clock of clocks) clock.mockRestore();
  });
  expect(await landRange(own.store, lane, 5, 7, 4, now)).toEqual({ outcome: 'fenced' });
  for (const clock of clocks) clock.mockRestore();
  expect(await offsets(own.clickhouse, lane)).toEqual(upTo(9));
});
