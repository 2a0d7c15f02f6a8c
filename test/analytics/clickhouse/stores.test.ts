import { expect, test } from 'vitest';
import { getDetection, saveTriage } from '#analytics/clickhouse/read-models/detections.ts';
import { detection, landRange, numbered, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();

test('the highest revision of a detection counts, for any order of writes', async () => {
  const id = `det_${'1'.repeat(32)}`;
  const high = detection({ id, revision: 9, crashes: 40, message: 'é "quoted" \n' });
  await store.landDetections([detection({ id, revision: 2 }), high]);
  await store.landDetections([high]);
  await store.landDetections([detection({ id, revision: 3 })]);
  expect(await getDetection(clickhouse, id)).toEqual(high);
  const rows = await clickhouse.rows('count', `SELECT id FROM ${clickhouse.table('detections')} WHERE id = '${id}'`);
  expect(rows).toHaveLength(1);
});

test('a decision stays with a detection while it grows, and the latest decision counts', async () => {
  const id = `det_${'2'.repeat(32)}`;
  await store.landDetections([detection({ id, event: null, hostname: null, attack: [], values: [] })]);
  await saveTriage(clickhouse, id, { status: 'closed', verdict: 'benign', assignee: 'ann', note: 'known' }, 2_000);
  await saveTriage(clickhouse, id, { status: 'acknowledged', verdict: null, assignee: null, note: null }, 1_000);
  await store.landDetections([detection({ id, revision: 5, event: null, hostname: null })]);
  const decided = {
    status: 'closed',
    verdict: 'benign',
    assignee: 'ann',
    note: 'known',
    revision: 5,
    hostname: null,
    event: null,
  };
  expect(await getDetection(clickhouse, id)).toMatchObject(decided);
});

test('finds stored ingest ids of events and dead letters, many at once', async () => {
  const lane = { topic: 'ids', partition: 0 };
  const events = store.openEvents(lane, Date.now());
  events.append(numbered(0, 'first'));
  events.append(numbered(1));
  await store.landEvents(events, -1);
  const letters = store.openDeadLetters(lane, Date.now());
  const rejection = { ok: false, code: 'empty_record', path: '$', message: 'x' } as const;
  letters.append({ offset: 2, rejection, raw: Buffer.alloc(0), key: null, ingestId: "quo'ted \\ é" });
  await store.landDeadLetters(letters, -1);
  const old = store.openEvents({ topic: 'ids', partition: 1 }, Date.now() - 25 * 3_600_000);
  old.append(numbered(0, 'yesterday'));
  await store.landEvents(old, -1);

  const many = Array.from({ length: 5_000 }, (_, i) => `unknown-${i}-${'x'.repeat(40)}`);
  expect(await store.landedIngestIds(['first', '', "quo'ted \\ é", 'yesterday', ...many])).toEqual(
    new Set(['first', "quo'ted \\ é"]),
  );
  expect(await store.landedIngestIds([])).toEqual(new Set());
});

test('recognizes a late repeat of a redrive whose record was lost; a rejected one may be repeated', async () => {
  const lane = { topic: 'redriven', partition: 0 };
  const old = Date.now() - 20 * 86_400_000;
  const events = store.openEvents(lane, old);
  events.append(numbered(0, 'redrive:events.v1/0/1/0'));
  await store.landEvents(events, -1);
  const letters = store.openDeadLetters(lane, Date.now());
  const rejection = { ok: false, code: 'schema_unknown', path: '$', message: 'x' } as const;
  letters.append({ offset: 1, rejection, raw: Buffer.alloc(0), key: null, ingestId: 'redrive:events.v1/0/2/0' });
  await store.landDeadLetters(letters, -1);
  const asked = ['redrive:events.v1/0/1/0', 'redrive:events.v1/0/2/0', 'redrive:events.v1/0/3/0'];
  expect([...(await store.landedIngestIds(asked))]).toEqual(['redrive:events.v1/0/1/0']);
});

test('finds the newest complete snapshot at or below the mark, and removes older ones', async () => {
  const lane = { topic: 'snap/shots', partition: 4 };
  const big = 'é'.repeat(500_000);
  expect(await store.latestSnapshot(lane, 10)).toBeUndefined();
  for (const offset of [10, 20, 30, 40]) await store.saveSnapshot(lane, offset, [`a${offset}`, big, 'c']);
  expect(await store.latestSnapshot(lane, 35)).toEqual({ offset: 30, chunks: ['a30', big, 'c'] });
  expect((await store.latestSnapshot(lane, 40))?.offset).toBe(40);
  expect(await store.latestSnapshot(lane, 19)).toBeUndefined();
  expect(await store.latestSnapshot({ ...lane, partition: 5 }, 100)).toBeUndefined();

  // An incomplete snapshot is ignored.
  await clickhouse.command(
    'cut off',
    `INSERT INTO ${clickhouse.table('tracker_snapshots')} VALUES ('snap/shots', 4, 50, 'half', 0, 2, now64(3), 'a')`,
  );
  expect((await store.latestSnapshot(lane, 60))?.offset).toBe(40);
});

test('a replay returns a range of a lane in order', async () => {
  const lane = { topic: 'replay', partition: 0 };
  await landRange(store, lane, 0, 20_000, -1);
  await landRange(store, lane, 20_001, 30_000, 20_000);
  const read = async (...range: [number, number]): Promise<number[]> => {
    const counts: number[] = [];
    for await (const batch of store.replay(lane, ...range)) {
      for (const text of batch) counts.push(JSON.parse(text.toString()).event.count);
    }
    return counts;
  };
  const stretch = await read(99, 25_000);
  expect(stretch.length).toBe(24_901);
  expect(stretch.every((count, i) => count === 100 + i)).toBe(true);
  expect(await read(20, 20)).toEqual([]);
});
