import { expect, test } from 'vitest';
import { getDetection, listDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { getEvent, listEvents } from '#analytics/clickhouse/read-models/events.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import type { EventType } from '#schemas/events/event.ts';
import { accepted, detection, trap, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();

const PROCESS = {
  executable: '/usr/sbin/nginx',
  build_id: 'd1c3e919',
  uid: 33,
  unit: 'nginx.service',
  container: { id: '3b8b55a8', runtime: 'containerd' },
  pod: { uid: '4d6e7f80' },
};
const FILTERS: readonly Filters[] = [
  { executable: '/usr/sbin/nginx' },
  { unit: 'nginx.service' },
  { container: '3b8b55a8' },
  { pod: '4d6e7f80' },
  { q: 'uid:33 build_id:d1c3e919' },
  { q: 'container:3b8b* and not unit:other.service' },
];

test('events have columns of their process, and lists are filtered by them', async () => {
  const lane = { topic: 'process', partition: 0 };
  const block = store.openEvents(lane, Date.now());
  const events = [trap('nginx', 1, 1), { ...trap('nginx', 2, 2), process: PROCESS } as EventType];
  for (const [offset, event] of events.entries()) {
    const raw = Buffer.from(JSON.stringify(event));
    block.append({ offset, accepted: accepted(event, 'web-1', 1_770_000_000 + offset), raw, ingestId: '' });
  }
  expect((await store.landEvents(block, -1)).outcome).toBe('landed');
  expect(await getEvent(clickhouse, 'process~0~1')).toMatchObject({
    executable: '/usr/sbin/nginx',
    build_id: 'd1c3e919',
    uid: '33',
    unit: 'nginx.service',
    container: '3b8b55a8',
    pod: '4d6e7f80',
  });
  expect(await getEvent(clickhouse, 'process~0~0')).toMatchObject({ executable: null, uid: null, container: null });
  for (const filters of FILTERS) {
    const { items } = await listEvents(clickhouse, filters, { limit: 10 });
    expect(items.map(({ offset }) => offset)).toEqual([1]);
  }
});

test('detections store the facts on which their crashes agree, and lists are filtered by them', async () => {
  const known = detection({
    executable: '/usr/sbin/nginx',
    buildId: 'd1c3e919',
    uid: 33,
    parent: '/usr/lib/systemd/systemd',
    unit: 'nginx.service',
    container: '3b8b55a8',
    pod: '4d6e7f80',
  });
  const unknown = detection({ id: `det_${'b'.repeat(32)}` });
  await store.landDetections([known, unknown]);
  expect(await getDetection(clickhouse, known.id)).toEqual(known);
  expect(await getDetection(clickhouse, unknown.id)).toEqual(unknown);
  const ofParent = [{ parent: '/usr/lib/systemd/systemd' }, { q: 'parent:*/systemd' }];
  for (const filters of [...FILTERS, ...ofParent]) {
    const { items } = await listDetections(clickhouse, filters, { limit: 10 });
    expect(items.map(({ id }) => id)).toEqual([known.id]);
  }
});
