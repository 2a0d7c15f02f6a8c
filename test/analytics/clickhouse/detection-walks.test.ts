import { expect, test } from 'vitest';
import { listDetections } from '#analytics/clickhouse/read-models/detections.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import type { Detection } from '#schemas/detection.ts';
import { randomName } from '#test/support/random-name.ts';
import { detection, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const minute = (at: number) => `2026-02-02T02:${String(at).padStart(2, '0')}:00.000000001Z`;
const merge = () =>
  clickhouse.command(
    'merge',
    `OPTIMIZE TABLE ${clickhouse.table('detection_records')} FINAL SETTINGS optimize_throw_if_noop = 0`,
  );

/** Its latest evidence is of the minute of its number, until it grows. */
function one(hostname: string, number: number, revision = 1, lastSeen = number): Detection {
  return detection({
    id: `${hostname}.${number}`,
    hostname,
    revision,
    firstSeen: minute(0),
    lastSeen: minute(lastSeen),
  });
}

/** Number and revision of each detection of a walk by pages of two; `between` runs after the first and after the second page. */
async function walk(filters: Filters, ...between: (() => Promise<unknown>)[]): Promise<[number, number][]> {
  const found: [number, number][] = [];
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await listDetections(clickhouse, filters, { limit: 2, ...(cursor ? { cursor } : {}) });
    found.push(...page.items.map(({ id, revision }): [number, number] => [Number(id.split('.')[1]), revision]));
    cursor = page.nextCursor;
    await between.shift()?.();
  }
  return found;
}

// An attack that went on while an analyst went through the list moved from a page not yet read to one that had been.
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
