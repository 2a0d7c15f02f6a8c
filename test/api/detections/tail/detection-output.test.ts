import pino from 'pino';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { serverClock } from '#analytics/clickhouse/read-models/landed-detections.ts';
import { startDetectionOutput } from '#api/detections/tail/detection-output.ts';
import { readTail, tailFrom } from '#api/detections/tail/read-tail.ts';
import { watchDetections } from '#api/detections/tail/watch-detections.ts';
import type { Detection } from '#schemas/detection.ts';
import { detection, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { randomName, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';

const { clickhouse, store } = await useDatabase();
const { database } = await usePostgres();
const logger = pino({ level: 'silent' });
const AGAIN = { againMs: 0 };

/** An output receives the detections that land after its cursor was created. */
const cursorOf = (name: string) =>
  waitFor('the cursor', () =>
    database.selectFrom('outputCursors').selectAll().where('name', '=', name).executeTakeFirst(),
  );

let number = 0;
beforeEach(async () => {
  for (const table of ['detection_records', 'detection_places'])
    await clickhouse.command('empty', `TRUNCATE TABLE ${clickhouse.table(table)}`);
});
const fresh = (over: Partial<Detection> = {}) =>
  detection({ id: `det_${String(++number).padStart(32, '0')}`, ...over });
const ids = (detections: readonly Detection[]) =>
  detections.map(({ id, revision }) => `${Number(id.slice(4))}/${revision}`);

describe('a reader of stored detections', () => {
  test('receives each once in its latest revision, and again when it grew', async () => {
    const start = tailFrom(Date.now());
    const one = fresh();
    const two = fresh();
    await store.landDetections([one, two, { ...two, revision: 2 }]);
    const first = await readTail(clickhouse, start, AGAIN);
    expect(ids(first.detections).sort()).toEqual(ids([one, { ...two, revision: 2 }]));
    const second = await readTail(clickhouse, first.state, AGAIN);
    expect(second.detections).toEqual([]);
    await store.landDetections([{ ...one, revision: 5 }]);
    const third = await readTail(clickhouse, second.state, AGAIN);
    expect(ids(third.detections)).toEqual(ids([{ ...one, revision: 5 }]));
  });

  test('receives no earlier and no silenced detections', async () => {
    await store.landDetections([fresh()]);
    const start = tailFrom(Date.now() + 1);
    await waitFor('the clock', () => Date.now() > start.beganMs);
    const silenced = fresh({ exception: 'exc_1' });
    const loud = fresh();
    await store.landDetections([silenced, loud]);
    expect(ids((await readTail(clickhouse, start, AGAIN)).detections)).toEqual(ids([loud]));
  });

  test('does not report growth too soon, and does not forget it', async () => {
    const start = tailFrom(await serverClock(clickhouse));
    const one = fresh();
    await store.landDetections([one]);
    const first = await readTail(clickhouse, start, { againMs: 600_000 });
    await store.landDetections([{ ...one, revision: 2 }]);
    const soon = await readTail(clickhouse, first.state, { againMs: 600_000 });
    expect(soon.detections).toEqual([]);
    // The same time after the delivery.
    const recent = Object.fromEntries(
      Object.entries(soon.state.recent).map(([id, [revision, atMs]]) => [id, [revision, atMs - 600_000] as const]),
    );
    const later = await readTail(clickhouse, { ...soon.state, recent }, { againMs: 600_000 });
    expect(ids(later.detections)).toEqual(ids([{ ...one, revision: 2 }]));
  });

  test('returns rows that become visible late, behind its cursor', async () => {
    const now = Date.now();
    const one = fresh();
    await store.landDetections([one]);
    // A reader that began long ago, with a cursor five minutes ahead of the rows that land now.
    const state = { beganMs: now - 3_600_000, toldMs: now + 300_000, recent: {} };
    const read = await readTail(clickhouse, state, AGAIN);
    expect(ids(read.detections)).toEqual(ids([one]));
    expect((await readTail(clickhouse, read.state, AGAIN)).detections).toEqual([]);
  });

  test('uses the clock of the server: that of a process may be an hour behind or ahead', async () => {
    const start = tailFrom(await serverClock(clickhouse));
    const clock = vi.spyOn(Date, 'now');
    onTestFinished(() => clock.mockRestore());
    const landedAt = async (offsetMs: number) => {
      const one = fresh();
      clock.mockReturnValue(start.beganMs + offsetMs);
      await store.landDetections([one]);
      clock.mockRestore();
      return one;
    };
    const behind = await landedAt(-3_600_000);
    const first = await readTail(clickhouse, start, AGAIN);
    expect(ids(first.detections)).toEqual(ids([behind]));
    // Read by a process whose clock is ahead. It must not advance the position.
    const ahead = vi.spyOn(Date, 'now').mockReturnValue(start.beganMs + 3_600_000);
    const second = await readTail(clickhouse, first.state, AGAIN);
    ahead.mockRestore();
    expect(second.state.toldMs).toBeLessThan(start.beganMs + 3_000_000);
    const next = await landedAt(0);
    expect(ids((await readTail(clickhouse, second.state, AGAIN)).detections)).toEqual(ids([next]));
  });

  test('continues from now if a process of an earlier version with a wrong clock left its position in the future', async () => {
    const later = Date.now() + 3_600_000;
    const ahead = await readTail(clickhouse, { beganMs: later, toldMs: later, recent: {} }, AGAIN);
    expect(ahead).toMatchObject({ detections: [], more: true });
    const one = fresh();
    await store.landDetections([one]);
    expect(ids((await readTail(clickhouse, ahead.state, AGAIN)).detections)).toEqual(ids([one]));
  });

  test('reads many detections in batches', async () => {
    const start = tailFrom(Date.now());
    await store.landDetections(Array.from({ length: 25 }, () => fresh()));
    const heard: string[] = [];
    let state = start;
    for (const expected of [true, true, false]) {
      const read = await readTail(clickhouse, state, { againMs: 0, most: 10 });
      heard.push(...ids(read.detections));
      expect(read.more).toBe(expected);
      state = read.state;
    }
    expect(new Set(heard).size).toBe(25);
  });
});

test('two processes serve one output together, each detection once, and one continues when the other ends', async () => {
  const name = randomName('output');
  const delivered: string[] = [];
  const serve = () =>
    startDetectionOutput(
      { clickhouse, database, logger, deliver: (detections) => void delivered.push(...ids(detections)) },
      { name, pauseMs: 20 },
    );
  const [here, there] = [serve(), serve()];
  onTestFinished(async () => {
    await Promise.all([here.stop(), there.stop()]);
  });
  await cursorOf(name);
  const batch = Array.from({ length: 20 }, () => fresh());
  await store.landDetections(batch);
  await waitFor('all of them', () => delivered.length >= 20);
  await here.stop();
  const late = fresh();
  await store.landDetections([late]);
  await waitFor('the late one', () => delivered.length >= 21);
  expect(delivered.sort()).toEqual(ids([...batch, late]).sort());
});

test('delivers failed detections later', async () => {
  const name = randomName('output');
  const delivered: string[] = [];
  let broken = true;
  let failures = 0;
  const output = startDetectionOutput(
    {
      clickhouse,
      database,
      logger,
      deliver(detections) {
        if (broken) {
          failures++;
          throw new Error('the receiver is unavailable');
        }
        delivered.push(...ids(detections));
      },
    },
    { name, pauseMs: 20 },
  );
  onTestFinished(() => output.stop());
  await cursorOf(name);
  const one = fresh();
  await store.landDetections([one]);
  await waitFor('a failure', () => failures > 0);
  broken = false;
  await waitFor('the delivery', () => delivered.length > 0);
  expect(delivered).toEqual(ids([one]));
});

test('a watcher receives the detections that are stored from now on', async () => {
  const delivered: Detection[] = [];
  const watching = watchDetections({ clickhouse, logger }, (d) => delivered.push(d), { pauseMs: 20 });
  onTestFinished(() => watching.stop());
  const one = fresh();
  await store.landDetections([one]);
  await waitFor('it', () => delivered.some(({ id }) => id === one.id));
});
