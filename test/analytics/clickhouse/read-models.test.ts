import { describe, expect, test } from 'vitest';
import type { Lane } from '#analytics/clickhouse/port.ts';
import { CursorError } from '#analytics/clickhouse/read-models/cursor.ts';
import {
  getDeadLetter,
  listDeadLetters,
  markRedriven,
  streamDeadLetters,
} from '#analytics/clickhouse/read-models/dead-letters.ts';
import { listDetections, saveTriage, streamDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { getEvent, listEvents, streamEventLines } from '#analytics/clickhouse/read-models/events.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import type { Page } from '#analytics/clickhouse/read-models/list-definition.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';
import { USER_READ } from '#test/schemas/events/sample-event.ts';
import { accepted, callback, detection, landRange, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const START = 1_770_000_000;

/** Walks all pages. `between` runs after the first page. */
async function walk<Item>(
  list: (cursor?: string) => Promise<Page<Item>>,
  between?: () => Promise<unknown>,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor);
    if (cursor === undefined) await between?.();
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}

async function land(
  lane: Lane,
  events: { event: EventType; hostname: string | null; seconds: number }[],
): Promise<void> {
  const block = store.openEvents(lane, Date.now());
  for (const [offset, { event, hostname, seconds }] of events.entries()) {
    block.append({
      offset,
      accepted: accepted(event, hostname, seconds),
      raw: Buffer.from(`{"n":"Raw-${offset}"}`),
      ingestId: '',
    });
  }
  expect((await store.landEvents(block, -1)).outcome).toBe('landed');
}

describe('events', () => {
  test('are listed newest first, page by page, each once, while more arrive', async () => {
    const lane = { topic: 'pages', partition: 0 };
    // 100 events share each second, so the cursor must break ties.
    await land(
      lane,
      Array.from({ length: 500 }, (_, i) => ({
        event: callback(i),
        hostname: 'pages',
        seconds: START + Math.floor(i / 100),
      })),
    );
    const found = await walk(
      (cursor) => listEvents(clickhouse, { hostname: 'pages' }, { limit: 70, ...(cursor ? { cursor } : {}) }),
      () => landRange(store, lane, 500, 520, 499),
    );
    expect(found.map((event) => event.offset)).toEqual(Array.from({ length: 500 }, (_, i) => 499 - i));
    let streamed = '';
    for await (const lines of streamEventLines(clickhouse, { hostname: 'pages' })) streamed += lines.toString();
    const ids = [...streamed.matchAll(/"id":"(pages~0~\d+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(found.map((event) => event.id));
  });

  test('are all found far apart in time, in the past and in a forged future', async () => {
    const times = [-2_000_000_000, 0, 1_000_000_000, START, Math.floor(Date.now() / 1000), 9_000_000_000];
    await land(
      { topic: 'far', partition: 0 },
      times.map((seconds) => ({ event: callback(1), hostname: 'far', seconds })),
    );
    const page = await listEvents(clickhouse, { hostname: 'far' }, { limit: 50 });
    expect(page.items.map((event) => event.offset)).toEqual([5, 4, 3, 2, 1, 0]);
    expect(page.nextCursor).toBeUndefined();
  });

  test('are filtered by every filter, and malicious values are only values', async () => {
    const trap: EventType = {
      type: 'LinuxKernelTrap',
      errcode: USER_READ,
      facility: 'Kern',
      level: 'Info',
      ip: 2n ** 64n - 1n,
      sp: 0,
      pid: 1,
      procname: "nginx' OR 1=1 --",
      file: 'libc.so',
      trap: { type: 'Generic', description: 'divide error' },
    };
    const probe: EventType = {
      type: 'RegisterProbe',
      justification: { EventCount: 3 },
      message: 'm',
      procname: 'p',
      register: 'RDI',
    };
    const lane = { topic: 'filters', partition: 3 };
    await land(lane, [
      { event: trap, hostname: 'f1', seconds: START },
      { event: probe, hostname: 'f2', seconds: START + 10 },
      { event: callback(1), hostname: 'f2', seconds: START + 20 },
    ]);
    const offsets = async (filters: Filters): Promise<number[]> =>
      (await listEvents(clickhouse, filters, { limit: 50 })).items
        .filter((e) => e.topic === 'filters')
        .map((e) => e.offset);
    expect(await offsets({ hostname: 'f2' })).toEqual([2, 1]);
    expect(await offsets({ type: 'LinuxKernelTrap' })).toEqual([0]);
    expect(await offsets({ procname: "nginx' OR 1=1 --" })).toEqual([0]);
    expect(await offsets({ file: 'libc.so' })).toEqual([0]);
    expect(await offsets({ register: 'RDI' })).toEqual([1]);
    expect(await offsets({ hostname: 'f2', q: 'rAW-2' })).toEqual([2]);
    expect(await offsets({ from: { seconds: START + 10, nanos: 0 }, to: { seconds: START + 20, nanos: 0 } })).toContain(
      1,
    );
    expect(await offsets({ hostname: 'f1', from: { seconds: START, nanos: 1 } })).toEqual([]);
    expect(await getEvent(clickhouse, 'filters~3~0')).toMatchObject({
      ip: '18446744073709551615',
      sp: '0',
      trap: 'divide error',
      vmasize: null,
    });
    expect(await getEvent(clickhouse, 'filters~3~99')).toBeUndefined();
    expect(await getEvent(clickhouse, "x' OR 1")).toBeUndefined();
    await expect(listEvents(clickhouse, {}, { limit: 5, cursor: 'bm9uc2Vuc2U' })).rejects.toThrow(CursorError);
  });

  test('of a detection are those of its program in its time', async () => {
    await land({ topic: 'evidence', partition: 0 }, [
      { event: callback(1), hostname: 'ev-host', seconds: START },
      { event: callback(2), hostname: 'ev-host', seconds: START + 5 },
      { event: callback(3), hostname: 'other', seconds: START + 5 },
      { event: callback(4), hostname: 'ev-host', seconds: START + 9 },
      { event: callback(5), hostname: 'ev-host', seconds: START + 50 },
    ]);
    const id = `det_${'e'.repeat(32)}`;
    const at = (seconds: number): string => new Date(seconds * 1000).toISOString();
    await store.landDetections([detection({ id, hostname: 'ev-host', firstSeen: at(START), lastSeen: at(START + 9) })]);
    const page = await listEvents(clickhouse, { detection: id }, { limit: 10 });
    expect(page.items.map((event) => event.offset)).toEqual([3, 1, 0]);
    const within = async (filters: Filters) =>
      (await listEvents(clickhouse, { detection: id, ...filters }, { limit: 10 })).items.map(({ offset }) => offset);
    const second = (seconds: number) => ({ seconds: START + seconds, nanos: 0 });
    expect(await within({ from: second(1) })).toEqual([3, 1]);
    expect(await within({ to: second(9) })).toEqual([1, 0]);
    expect(await within({ from: second(-9), to: second(99) })).toEqual([3, 1, 0]);
    expect(await within({ from: second(10), to: second(99) })).toEqual([]);
    expect((await listEvents(clickhouse, { detection: `det_${'0'.repeat(32)}` }, { limit: 10 })).items).toEqual([]);
  });
});

test('detections are listed by latest evidence, and filtered by their fields and triage', async () => {
  const all = Array.from({ length: 25 }, (_, i) =>
    detection({
      id: `det_${String(i).padStart(32, '0')}`,
      hostname: `list-${i % 2}`,
      severity: i % 5 === 0 ? 'critical' : 'low',
      lastSeen: `2026-03-01T00:00:${String(Math.floor(i / 3)).padStart(2, '0')}.000000000Z`,
      message: `Message ${i}`,
    }),
  );
  await store.landDetections(all);
  await saveTriage(
    clickhouse,
    all[4]?.id ?? '',
    { status: 'closed', verdict: 'benign', assignee: null, note: null },
    Date.now(),
  );
  const from = { seconds: Date.UTC(2026, 2, 1) / 1000, nanos: 0 };
  const found = await walk((cursor) =>
    listDetections(clickhouse, { from }, { limit: 4, ...(cursor ? { cursor } : {}) }),
  );
  expect(found.map((d) => d.id)).toEqual([...all].reverse().map((d) => d.id));
  expect(found.at(-1)).toEqual(all[0]);
  const count = async (filters: Filters): Promise<number> =>
    (await listDetections(clickhouse, { from, ...filters }, { limit: 100 })).items.length;
  expect(await count({ hostname: 'list-1' })).toBe(12);
  expect(await count({ severity: 'critical' })).toBe(5);
  expect(await count({ status: 'closed' })).toBe(1);
  expect(await count({ rule: 'instruction-pointer-probe' })).toBe(25);
  expect(await count({ rule: 'stack-canary-probe' })).toBe(0);
  expect(await count({ q: 'mESSAGE 24' })).toBe(1);
  expect(await count({ register: 'ip', procname: 'nginx' })).toBe(25);
  let streamed = 0;
  for await (const batch of streamDetections(clickhouse, { from })) streamed += batch.length;
  expect(streamed).toBe(25);
});

test('dead letters keep their bytes, and a successful redrive marks them', async () => {
  const lane = { topic: 'dead', partition: 1 };
  const block = store.openDeadLetters(lane, Date.now());
  const raw = Buffer.from([0, 255, 254, 10, 13, 34, 92]);
  for (const offset of [3, 7, 9]) {
    const rejection = {
      ok: false,
      code: offset === 9 ? 'empty_record' : 'malformed_json',
      path: '$',
      message: 'bad',
    } as const;
    block.append({ offset, rejection, raw, key: offset === 3 ? null : Buffer.from([128]), ingestId: '' });
  }
  await store.landDeadLetters(block, -1);
  const list = (filters: Filters) => listDeadLetters(clickhouse, filters, { limit: 10 });
  expect((await list({})).items.map((letter) => letter.id)).toEqual(['dead~1~9', 'dead~1~7', 'dead~1~3']);
  expect((await list({ code: 'empty_record' })).items.map((letter) => letter.identity.offset)).toEqual([9]);
  expect(await getDeadLetter(clickhouse, 'dead~1~3')).toMatchObject({
    raw,
    key: null,
    redriven: null,
    redriveOutcome: null,
  });
  expect((await getDeadLetter(clickhouse, 'dead~1~7'))?.key).toEqual(Buffer.from([128]));

  const identity = { ...lane, offset: 3 };
  await markRedriven(clickhouse, [{ identity, outcome: 'malformed_json', triedMs: Date.now() - 1000 }]);
  expect(await getDeadLetter(clickhouse, 'dead~1~3')).toMatchObject({
    redriven: null,
    redriveOutcome: 'malformed_json',
  });
  const triedMs = Date.now();
  await markRedriven(clickhouse, [{ identity, outcome: 'landed', triedMs }]);
  expect(await getDeadLetter(clickhouse, 'dead~1~3')).toMatchObject({
    redriven: new Date(triedMs).toISOString(),
    redriveOutcome: 'landed',
  });
  expect((await list({ status: 'open' })).items.map((letter) => letter.identity.offset)).toEqual([9, 7]);
  expect((await list({ status: 'redriven' })).items.map((letter) => letter.identity.offset)).toEqual([3]);
  let streamed = 0;
  for await (const batch of streamDeadLetters(clickhouse, {})) streamed += batch.length;
  expect(streamed).toBe(3);
});
