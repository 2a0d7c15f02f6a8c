import { expect, test } from 'vitest';
import { CursorError } from '#analytics/clickhouse/read-models/cursor.ts';
import type { DetectionOrder } from '#analytics/clickhouse/read-models/detection-order.ts';
import { listDetections } from '#analytics/clickhouse/read-models/detections.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import { DETECTION_SORTS, SORT_ORDERS } from '#schemas/api/detection-sort.ts';
import { type Detection, SEVERITIES } from '#schemas/detection.ts';
import { randomName } from '#test/support/random-name.ts';
import { detection, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const minute = (at: number) => `2026-02-02T02:${String(at).padStart(2, '0')}:00.000000001Z`;
const merge = () =>
  clickhouse.command(
    'merge',
    `OPTIMIZE TABLE ${clickhouse.table('detection_records')} FINAL SETTINGS optimize_throw_if_noop = 0`,
  );

/** The minute of its latest evidence is its number, until it grows. */
function one(hostname: string, number: number, revision = 1, lastSeen = number): Detection {
  return detection({
    id: `${hostname}.${number}`,
    hostname,
    revision,
    firstSeen: minute(0),
    lastSeen: minute(lastSeen),
    // Pairs share a severity. A revision raises both.
    severity: SEVERITIES[Math.min(4, Math.floor((number - 1) / 2) + revision - 1)] ?? 'info',
    crashes: 10 * number + (revision - 1) * 100,
  });
}

/**
 * Walks all pages of two detections and returns number and revision of each. `between` runs after the first and the
 * second page.
 */
async function walk(
  filters: Filters & DetectionOrder,
  ...between: (() => Promise<unknown>)[]
): Promise<[number, number][]> {
  const found: [number, number][] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const { sort, order } = filters;
    const page = await listDetections(clickhouse, filters, { limit: 2, sort, order, ...(cursor ? { cursor } : {}) });
    found.push(...page.items.map(({ id, revision }): [number, number] => [Number(id.split('.')[1]), revision]));
    cursor = page.nextCursor;
    await between.shift()?.();
  }
  return found;
}

// Regression: an attack that continued while an analyst paged through the list moved from an unread page to a page
// already read.
test.for([
  ['their narrow columns', {}],
  ['what is decided about them', { status: 'new' }],
] as const)('a walk by %s returns each detection once, also when detections grow during the walk', async ([, more]) => {
  const hostname = randomName('host');
  const filters = { ...more, hostname };
  await store.landDetections([1, 2, 3, 4, 5, 6, 7, 8].map((number) => one(hostname, number)));
  const found = await walk(
    filters,
    async () => {
      await store.landDetections([one(hostname, 2, 2, 20), one(hostname, 8, 2, 21), one(hostname, 9, 1, 22)]);
      await store.landDetections([one(hostname, 2, 3, 23)]);
      await merge();
    },
    () => store.landDetections([one(hostname, 1, 2, 30), one(hostname, 6, 2, 31)]),
  );
  expect(found).toEqual([
    [8, 1],
    [7, 1],
    [6, 1],
    [5, 1],
    [4, 1],
    [3, 1],
    [2, 3],
    [1, 2],
  ]);
  expect((await walk(filters)).map(([number]) => number)).toEqual([6, 1, 2, 9, 8, 7, 5, 4, 3]);
});

const GROWN: readonly DetectionOrder[] = (['severity', 'crashes'] as const).flatMap((sort) =>
  SORT_ORDERS.map((order) => ({ sort, order })),
);

// Severity and crashes grow with revisions, so a detection can move ahead of the current page or behind it.
test.for(GROWN)(
  'a walk by $sort $order returns each detection once, at its position when the walk began',
  async (order) => {
    const hostname = randomName('host');
    await store.landDetections([1, 2, 3, 4, 5, 6, 7, 8].map((number) => one(hostname, number)));
    const found = await walk(
      { hostname, ...order },
      async () => {
        await store.landDetections([one(hostname, 2, 2, 20), one(hostname, 7, 2, 21)]);
        await store.landDetections([one(hostname, 2, 3, 22)]);
        await merge();
      },
      () => store.landDetections([one(hostname, 1, 2, 30), one(hostname, 6, 2, 31)]),
    );
    const numbers = found.map(([number]) => number);
    const upwards = order.sort === 'severity' ? [2, 1, 4, 3, 6, 5, 8, 7] : [1, 2, 3, 4, 5, 6, 7, 8];
    const downwards = [8, 7, 6, 5, 4, 3, 2, 1];
    expect(numbers).toEqual(order.order === 'asc' ? upwards : downwards);
  },
);

test('a walk by host is sorted by name, and within a host by latest evidence', async () => {
  const run = randomName('host');
  const named = [3, 1, 2, 1].map((host, index) =>
    detection({
      id: `${run}.${index + 1}`,
      hostname: `${run}-${host}`,
      procname: run,
      lastSeen: minute(index + 1),
    }),
  );
  await store.landDetections([
    ...named,
    detection({ id: `${run}.5`, hostname: null, procname: run, lastSeen: minute(9) }),
  ]);
  const numbers = async (order: DetectionOrder) => (await walk({ procname: run, ...order })).map(([number]) => number);
  expect(await numbers({ sort: 'host' })).toEqual([5, 4, 2, 3, 1]);
  expect(await numbers({ sort: 'host', order: 'desc' })).toEqual([1, 3, 4, 2, 5]);
  expect(await numbers({ sort: 'lastSeen', order: 'asc' })).toEqual([1, 2, 3, 4, 5]);
});

test('a walk by risk uses the risk of the host at the time of its first page', async () => {
  const run = randomName('risk');
  const now = new Date(Date.now() - 60_000).toISOString().replace('Z', '000000Z');
  const on = (number: number, host: string, severity: Detection['severity'], over: Partial<Detection> = {}) =>
    detection({
      id: `${run}.${number}`,
      hostname: `${run}-${host}`,
      procname: run,
      severity,
      firstSeen: now,
      lastSeen: now,
      ...over,
    });
  const other = { rule: { id: 'stack-canary-probe', version: 1, name: 'Canary' } };
  await store.landDetections([
    on(1, 'quiet', 'low'),
    on(2, 'busy', 'critical'),
    on(3, 'busy', 'low', other),
    on(4, 'middle', 'high'),
    on(5, 'silenced', 'critical', { exception: 'exc_1' }),
  ]);
  const numbers = async (order: DetectionOrder) => (await walk({ procname: run, ...order })).map(([number]) => number);
  expect(await numbers({ sort: 'risk' })).toEqual([3, 2, 4, 1, 5]);
  expect(await numbers({ sort: 'risk', order: 'asc' })).toEqual([5, 1, 4, 2, 3]);
});

test('rejects a cursor of another order', async () => {
  const hostname = randomName('host');
  await store.landDetections([1, 2, 3].map((number) => one(hostname, number)));
  const orders = DETECTION_SORTS.flatMap((sort) => SORT_ORDERS.map((order) => ({ sort, order })));
  for (const order of orders) {
    const { nextCursor = '' } = await listDetections(clickhouse, { hostname }, { limit: 1, ...order });
    for (const another of orders.filter((one) => one !== order))
      await expect(
        listDetections(clickhouse, { hostname }, { limit: 1, ...another, cursor: nextCursor }),
        `${order.sort} ${order.order} in ${another.sort} ${another.order}`,
      ).rejects.toThrow(CursorError);
  }
});
