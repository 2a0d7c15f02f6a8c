import { expect, test } from 'vitest';
import { countDetections, groupDetections, landedBy } from '#analytics/clickhouse/read-models/detection-groups.ts';
import { listDetections, saveTriage } from '#analytics/clickhouse/read-models/detections.ts';
import { detection, useDatabase } from './fixture.ts';

const { clickhouse, store } = await useDatabase();
const minute = (at: number) => `2026-02-02T02:${String(at).padStart(2, '0')}:00.000000001Z`;
const id = (number: number) => `det_${String(number).padStart(32, '0')}`;
const campaign = { rule: { id: 'fleet-scan', version: 2, name: 'Scan spread over hosts' } };
const probe = { rule: { id: 'instruction-pointer-probe', version: 1, name: 'Instruction pointer probe' } };

await store.landDetections([
  detection({
    ...campaign,
    ...{
      id: id(1),
      hostname: null,
      hosts: ['web-1', 'web-2'],
      hostsTotal: 2,
      procname: 'gateway',
      file: '/srv/gateway',
    },
    ...{ severity: 'high', firstSeen: minute(10), lastSeen: minute(20), crashes: 40 },
  }),
  ...[
    { number: 2, hostname: 'web-1', file: '/srv/gateway', at: 12, severity: 'critical' },
    { number: 3, hostname: 'web-2', file: '/srv/gateway', at: 19, severity: 'low' },
    // Differs in host, time and file.
    { number: 4, hostname: 'web-3', file: '/srv/gateway', at: 15, severity: 'medium' },
    { number: 5, hostname: 'web-1', file: '/srv/gateway', at: 30, severity: 'medium' },
    { number: 6, hostname: 'web-1', file: '/srv/other', at: 15, severity: 'medium' },
  ].map(({ number, hostname, file, at, severity }) =>
    detection({
      ...probe,
      ...{ id: id(number), hostname, procname: file.slice(5), file, severity: severity as 'low', crashes: number },
      ...{ firstSeen: minute(at), lastSeen: minute(at + 1), exception: number === 4 ? 'exc_1' : null },
    }),
  ),
]);
await saveTriage(clickhouse, id(2), { status: 'closed', verdict: 'benign', assignee: null, note: null }, Date.now());

test('returns groups with counts and worst severity, worst group first', async () => {
  const { data, groups, detections } = await groupDetections(clickhouse, 'procname', {}, 10);
  expect({ groups, detections }).toEqual({ groups: 2, detections: 6 });
  expect(data).toEqual([
    {
      ...{ value: 'gateway', name: null, detections: 5, open: 3, worstSeverity: 'critical', crashes: 54, hosts: 3 },
      ...{ firstSeen: minute(10), lastSeen: minute(31) },
    },
    {
      ...{ value: 'other', name: null, detections: 1, open: 1, worstSeverity: 'medium', crashes: 6, hosts: 1 },
      ...{ firstSeen: minute(15), lastSeen: minute(16) },
    },
  ]);
});

test('groups detections without a host separately; a limit keeps the worst groups', async () => {
  const { data } = await groupDetections(clickhouse, 'hostname', {}, 10);
  expect(data.map(({ value, detections }) => [value, detections])).toEqual([
    ['web-1', 3],
    [null, 1],
    ['web-3', 1],
    ['web-2', 1],
  ]);
  const limited = await groupDetections(clickhouse, 'hostname', {}, 2);
  expect(limited).toEqual({ data: data.slice(0, 2), groups: 4, detections: 6 });
});

test('groups by rule have its name, and only filtered detections', async () => {
  const { data } = await groupDetections(clickhouse, 'rule', { 'exclude.status': 'closed' }, 10);
  expect(data).toMatchObject([
    { value: 'fleet-scan', name: 'Scan spread over hosts', detections: 1, worstSeverity: 'high', hosts: 2 },
    { value: 'instruction-pointer-probe', name: 'Instruction pointer probe', detections: 4, worstSeverity: 'medium' },
  ]);
});

test('a campaign contains the detections of its file on its hosts during it, and the filter finds the same', async () => {
  const { data, groups } = await groupDetections(clickhouse, 'campaign', {}, 10);
  expect(data).toMatchObject([
    { value: id(1), name: 'gateway', detections: 3, worstSeverity: 'critical', hosts: 2 },
    { value: null, name: null, detections: 3, worstSeverity: 'medium' },
  ]);
  expect(groups).toBe(2);
  const found = async (filters: object) =>
    (await listDetections(clickhouse, filters, { limit: 10 })).items.map((one) => Number(one.id.slice(4)));
  expect(await found({ campaign: id(1) })).toEqual([3, 1, 2]);
  expect(await found({ campaign: 'null' })).toEqual([5, 6, 4]);
  expect(await found({ 'exclude.campaign': id(1), status: 'new' })).toEqual([5, 6, 4]);
});

test('a count has its time, and later detections can be excluded although they have grown', async () => {
  const counted = await countDetections(clickhouse, { procname: 'gateway' });
  expect(counted.detections).toBe(5);
  await store.landDetections([
    detection({ id: id(7), procname: 'gateway', lastSeen: minute(5) }),
    detection({ ...probe, id: id(3), revision: 2, hostname: 'web-2', procname: 'gateway', lastSeen: minute(40) }),
  ]);
  const then = [landedBy(clickhouse, counted.asOfMs)];
  const { items } = await listDetections(clickhouse, { procname: 'gateway' }, { limit: 10 }, then);
  expect(items.map((one) => Number(one.id.slice(4)))).toEqual([3, 5, 1, 4, 2]);
  expect((await countDetections(clickhouse, { procname: 'gateway' })).detections).toBe(6);
});
