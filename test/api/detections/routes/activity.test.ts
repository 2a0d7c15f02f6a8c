import { expect, test } from 'vitest';
import { listHosts, listProcesses } from '#analytics/clickhouse/read-models/activity.ts';
import { saveTriage } from '#analytics/clickhouse/read-models/detections.ts';
import { type Detection, SEVERITIES } from '#schemas/detection.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { accepted, callback, detection, trap, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { runApp } from '../../running-app.ts';

const { clickhouse, store } = await useDatabase();
const START = 1_770_000_000;

const crash = (procname: string) => trap(procname, 1, 1);

let mark = -1;
async function land(events: readonly [hostname: string | null, event: EventType, seconds: number][]): Promise<void> {
  const block = store.openEvents({ topic: 'activity', partition: 0 }, Date.now());
  events.forEach(([hostname, event, seconds], i) => {
    const one = accepted(event, hostname, seconds);
    block.append({ offset: mark + 1 + i, accepted: one, raw: Buffer.from(stringifyExact(one.event)), ingestId: '' });
  });
  expect(await store.landEvents(block, mark)).toEqual({ outcome: 'landed' });
  mark += events.length;
}

let number = 0;
const land1 = async (over: Partial<Detection>) => {
  const one = detection({ id: `det_${String(++number).padStart(32, '0')}`, ...over });
  await store.landDetections([one]);
  return one.id;
};

test('lists hosts and programs with their counts, last seen first, without duplicates while events arrive', async () => {
  await land([
    ['a', crash('nginx'), START],
    ['a', crash('nginx'), START + 50],
    ['a', crash('sshd'), START + 20],
    ['a', callback(5), START + 60],
    ['b', crash('nginx'), START + 10],
    [null, crash('x'), START + 30],
  ]);
  await land1({ hostname: 'a', procname: 'nginx' });
  const closed = await land1({ hostname: 'a', procname: 'nginx' });
  await saveTriage(clickhouse, closed, { status: 'closed', verdict: null, assignee: null, note: null }, Date.now());
  await land1({ hostname: 'a', procname: 'sshd', exception: 'exc' });
  await land1({ hostname: null, procname: 'x' });

  const { get } = await runApp({ deps: { clickhouse } });
  const { data: hosts } = (await (await get('/api/hosts')).json()) as { data: object[] };
  expect(hosts).toEqual([
    {
      hostname: 'a',
      events: 4,
      crashes: 3,
      programs: 2,
      detections: 3,
      openDetections: 1,
      risk: { score: 0, normalised: 0, level: 'Unknown' },
      firstSeen: '2026-02-02T02:40:00.000000000Z',
      lastSeen: '2026-02-02T02:41:00.000000000Z',
    },
    expect.objectContaining({ hostname: null, events: 1, detections: 1, openDetections: 1 }),
    expect.objectContaining({ hostname: 'b', events: 1, crashes: 1, programs: 1, detections: 0, openDetections: 0 }),
  ]);
  const seen: unknown[] = [];
  let path = '/api/processes?limit=1';
  for (let page = 0; path !== ''; page++) {
    const answer = (await (await get(path)).json()) as { data: Record<string, unknown>[]; nextCursor: string | null };
    seen.push(...answer.data.map(({ hostname, procname, events }) => `${hostname}/${procname}/${events}`));
    if (page === 0) await land([['b', crash('nginx'), START + 500]]);
    path = answer.nextCursor === null ? '' : `/api/processes?limit=1&cursor=${answer.nextCursor}`;
  }
  expect(seen).toEqual(['a/nginx/2', 'null/x/1', 'a/sshd/1', 'b/nginx/1']);
  const searched = (await (await get('/api/hosts?q=A')).json()) as { data: { hostname: string }[] };
  expect(searched.data.map(({ hostname }) => hostname)).toEqual(['a']);
  const narrowed = await get('/api/processes?hostname=a&procname=nginx&from=2026-02-02T02:40:01Z');
  expect(((await narrowed.json()) as { data: object[] }).data).toMatchObject([{ events: 1, openDetections: 1 }]);
  expect((await get('/api/hosts?cursor=made-up')).status).toBe(400);
  expect((await get('/api/hosts?procname=x')).status).toBe(400);
});

const dump = (pid: number, over: Record<string, string> = {}, signal = 'SIGSEGV') =>
  ({
    type: 'LinuxFatalSignal',
    facility: 'Kern',
    level: 'Info',
    signal,
    stack_dump: { Comm: 'p', PID: String(pid), RIP: '0033:0x10', ...over },
  }) as EventType;

test('counts a crash once, whether the kernel printed a trap line, a dump or both', async () => {
  const at = START + 10_000;
  const hostname = 'counts';
  await land([
    [hostname, trap('p', 1, 16), at],
    [hostname, dump(1), at], // the dump of the previous crash
    [hostname, trap('p', 2, 16), at],
    [hostname, dump(2), at + 2], // likewise
    [hostname, trap('p', 3, 16), at],
    [hostname, dump(3), at + 3], // too late: another process with the same pid
    [hostname, trap('p', 4, 16), at],
    [hostname, dump(4, { RIP: '0033:0x11' }), at], // another address
    [hostname, dump(5), at], // a dump without a trap line
    [hostname, dump(6, {}, 'SIGIOT'), at], // an abort
    [hostname, dump(7, {}, 'SIGTERM'), at], // sent by another process: not a crash
  ]);
  // As counted by the tracker: 1, 2, 3 twice, 4 twice, 5, 6.
  const { get } = await runApp({ deps: { clickhouse } });
  for (const path of [`/api/hosts?hostname=${hostname}`, `/api/processes?hostname=${hostname}`]) {
    const { data } = (await (await get(path)).json()) as { data: object[] };
    expect(data).toMatchObject([{ hostname, events: 11, crashes: 8 }]);
  }
});

test('counts a crash once, however often its lines are delivered and whatever else reports it', async () => {
  const at = START + 20_000;
  const hostname = 'repeats';
  const reported = (pid: number, signal: string, witness: string) =>
    ({
      type: 'LinuxFatalSignal',
      facility: 'User',
      level: 'Info',
      signal,
      stack_dump: { Comm: 'p', PID: String(pid) },
      witness,
    }) as EventType;
  const lines: [string, EventType, number][] = [
    [hostname, trap('p', 1, 16), at],
    [hostname, trap('p', 2, 16), at],
    [hostname, dump(2), at + 1],
    [hostname, reported(3, 'SIGIOT', 'stack-smashing'), at],
    [hostname, dump(3, {}, 'SIGIOT'), at],
    [hostname, reported(3, 'SIGIOT', 'core-dump'), at + 1],
    [hostname, trap('p', 4, 16), at],
    [hostname, reported(4, 'SIGSEGV', 'audit'), at],
    [hostname, reported(5, 'SIGSEGV', 'core-dump'), at],
    [hostname, trap('p', 6, 16), at],
    [hostname, trap('p', 6, 17), at], // a process that handles its faults, at another place
  ];
  await land([...lines, ...lines, ...lines.toReversed()]);
  for (const path of [`/api/hosts?hostname=${hostname}`, `/api/processes?hostname=${hostname}`]) {
    const { get } = await runApp({ deps: { clickhouse } });
    const { data } = (await (await get(path)).json()) as { data: object[] };
    expect(data).toMatchObject([{ hostname, events: 33, crashes: 7 }]);
  }
});

test('filters hosts and programs by their figures across pages', async () => {
  const at = START + 30_000;
  await land([
    ...Array.from({ length: 3 }, (_, i): [string, EventType, number] => ['f-many', trap('p', 20 + i, 16), at]),
    ['f-many', dump(20), at], // the dump of an earlier crash: 4 events, 3 crashes
    ['f-few', trap('p', 30, 16), at],
    ['f-few', crash('q'), at],
    ['f-none', callback(5), at],
  ]);
  const today = new Date().toISOString();
  await land1({ hostname: 'f-many', procname: 'p', severity: 'critical', firstSeen: today, lastSeen: today });
  const closed = await land1({ hostname: 'f-few', procname: 'p', severity: 'low', firstSeen: today, lastSeen: today });
  await saveTriage(clickhouse, closed, { status: 'closed', verdict: null, assignee: null, note: null }, Date.now());
  const { get } = await runApp({ deps: { clickhouse } });
  type Listed = {
    data: { hostname: string; procname?: string; risk: { normalised: number } }[];
    nextCursor: string | null;
  };
  const list = async (path: string) => (await (await get(path)).json()) as Listed;
  const hosts = async (figures: string) =>
    (await list(`/api/hosts?q=f-&figures=${encodeURIComponent(figures)}`)).data.map(({ hostname }) => hostname).sort();

  expect(await hosts('crashes>=3')).toEqual(['f-many']);
  expect(await hosts('crashes=0')).toEqual(['f-none']);
  expect(await hosts('crashes<=2,events>=2')).toEqual(['f-few']);
  expect(await hosts('events!=4,programs!=0')).toEqual(['f-few']);
  expect(await hosts('detections>=1')).toEqual(['f-few', 'f-many']);
  expect(await hosts('openDetections>=1')).toEqual(['f-many']);
  // Scores of 90 and 10.
  const risks = (await list('/api/hosts?q=f-')).data.map(({ hostname, risk }) => [hostname, risk.normalised] as const);
  const risk = Object.fromEntries(risks);
  expect(await hosts(`risk=${risk['f-many']}`)).toEqual(['f-many']);
  expect(await hosts(`risk>=${risk['f-few']}`)).toEqual(['f-few', 'f-many']);
  expect(await hosts('risk<=0')).toEqual(['f-none']);

  const figures = encodeURIComponent('events>=2,crashes>=1');
  const first = await list(`/api/hosts?q=f-&limit=1&sort=risk&figures=${figures}`);
  const second = await list(`/api/hosts?q=f-&limit=1&sort=risk&figures=${figures}&cursor=${first.nextCursor}`);
  expect([...first.data, ...second.data].map(({ hostname }) => hostname)).toEqual(['f-many', 'f-few']);
  expect(second.nextCursor).toBeNull();
  const programs = await list(`/api/processes?hostname=f-few&figures=${encodeURIComponent('detections=0')}`);
  expect(programs.data.map(({ procname }) => procname)).toEqual(['q']);
  for (const wrong of ['crashes', 'crashes>10', 'crashes>=1.5', 'pid>=1', 'risk>=x', ''])
    expect((await get(`/api/hosts?figures=${encodeURIComponent(wrong)}`)).status).toBe(400);
  expect((await get('/api/processes?figures=programs>=1')).status).toBe(400);
});

test('handles malicious names as plain names', async () => {
  const hostile = "x' OR 1=1 --\\";
  await land([[hostile, crash(hostile), START + 900]]);
  expect((await listHosts(clickhouse, { hostname: hostile }, { limit: 5 })).items).toMatchObject([
    { hostname: hostile },
  ]);
  const { items } = await listProcesses(clickhouse, { procname: hostile }, { limit: 5 });
  expect(items).toMatchObject([{ hostname: hostile, procname: hostile, events: 1 }]);
});

test('searches detections by their duration in whole seconds', async () => {
  const at = (second: number) => `2026-01-07T00:00:${String(second).padStart(2, '0')}.500000000Z`;
  const id = await land1({ hostname: 'lasting', firstSeen: at(0), lastSeen: at(42) });
  const { get } = await runApp({ deps: { clickhouse } });
  const found = async (condition: string) => {
    const q = encodeURIComponent(`hostname:lasting ${condition}`);
    const { data } = (await (await get(`/api/detections?q=${q}`)).json()) as { data: { id: string }[] };
    return data.map((one) => one.id);
  };
  expect(await found('duration:42')).toEqual([id]);
  expect(await found('duration>=42 duration<=42')).toEqual([id]);
  expect(await found('duration>42')).toEqual([]);
});

test('the summary counts the listed detections', async () => {
  const at = (minute: number) => `2026-01-05T00:${String(minute).padStart(2, '0')}:00.000000000Z`;
  await land1({ hostname: 's1', procname: 'p', lastSeen: at(1), severity: 'critical' });
  await land1({ hostname: 's1', procname: 'q', lastSeen: at(1), severity: 'high' });
  await land1({ hostname: 's2', procname: 'p', lastSeen: at(31), severity: 'high', exception: 'exc' });
  const id = await land1({ hostname: 's2', procname: null, lastSeen: at(31), severity: 'high' });
  await saveTriage(clickhouse, id, { status: 'closed', verdict: 'benign', assignee: null, note: null }, Date.now());

  const { get } = await runApp({ deps: { clickhouse } });
  const range = 'from=2026-01-05T00:00:00Z&to=2026-01-05T01:00:00Z';
  const summary = (await (await get(`/api/detections/summary?${range}`)).json()) as {
    series: { at: string; bySeverity: Record<string, number> }[];
  };
  expect(summary).toMatchObject({
    from: '2026-01-05T00:00:00.000Z',
    stepSeconds: 60,
    detections: 4,
    open: 2,
    silenced: 1,
    rules: [{ rule: 'instruction-pointer-probe', detections: 4, open: 2 }],
    severities: [
      { severity: 'high', detections: 3, open: 1 },
      { severity: 'critical', detections: 1, open: 1 },
    ],
    statuses: [
      { status: 'new', detections: 3, open: 2 },
      { status: 'closed', detections: 1, open: 0 },
    ],
    hosts: [
      { hostname: 's1', detections: 2, open: 2 },
      { hostname: 's2', detections: 2, open: 0 },
    ],
  });
  expect(summary.series).toHaveLength(60);
  expect(summary.series[1]).toEqual({ at: '2026-01-05T00:01:00.000Z', bySeverity: { critical: 1, high: 1 } });
  expect(Object.keys(summary.series[2]?.bySeverity ?? { none: 1 })).toEqual([]);
  for (const severity of SEVERITIES) {
    const one = (await (await get(`/api/detections/summary?${range}&severity=${severity}`)).json()) as {
      detections: number;
    };
    const list = (await (await get(`/api/detections?${range}&severity=${severity}`)).json()) as { data: object[] };
    expect(one.detections).toBe(list.data.length);
  }
  expect((await get('/api/detections/summary?from=2026-01-05T00:00:00Z&to=2026-01-01T00:00:00Z')).status).toBe(400);
});

test('the summary of events counts the listed events by type, host, program and file', async () => {
  const begin = Date.parse('2026-01-06T00:00:00Z') / 1_000;
  const mapped: EventType = { ...(crash('p') as object as { type: 'LinuxKernelTrap' }), file: '/bin/p' } as EventType;
  await land([
    ['e1', mapped, begin + 60],
    ['e1', mapped, begin + 61],
    ['e2', crash('q'), begin + 1_860],
    [null, callback(7), begin + 1_861],
  ]);
  const { get } = await runApp({ deps: { clickhouse } });
  const range = 'from=2026-01-06T00:00:00Z&to=2026-01-06T01:00:00Z';
  const summary = (await (await get(`/api/events/summary?${range}`)).json()) as {
    series: { at: string; byType: Record<string, number> }[];
  };
  expect(summary).toMatchObject({
    from: '2026-01-06T00:00:00.000Z',
    stepSeconds: 60,
    events: 4,
    types: [
      { type: 'LinuxKernelTrap', events: 3 },
      { type: 'LinuxSuppressedCallback', events: 1 },
    ],
    hosts: expect.arrayContaining([
      { hostname: 'e1', events: 2 },
      { hostname: 'e2', events: 1 },
      { hostname: null, events: 1 },
    ]),
    programs: expect.arrayContaining([{ procname: 'p', events: 2 }]),
    files: expect.arrayContaining([{ file: '/bin/p', events: 2 }]),
  });
  expect(summary.series).toHaveLength(60);
  expect(summary.series[31]).toEqual({
    at: '2026-01-06T00:31:00.000Z',
    byType: { LinuxKernelTrap: 1, LinuxSuppressedCallback: 1 },
  });
  const times = { firstSeen: '2026-01-06T00:01:00.000000000Z', lastSeen: '2026-01-06T00:01:01.000000000Z' };
  const probed = await land1({ hostname: 'e1', procname: 'p', ...times });
  for (const filter of [
    'hostname=e1',
    'q=pid%3E5',
    `detection=${probed}`, // Regression: the filter on time and the range used the same parameter names, which gave 500 DECIMAL_OVERFLOW
    'type=LinuxSuppressedCallback',
    `detection=det_${'f'.repeat(32)}`,
  ]) {
    const one = (await (await get(`/api/events/summary?${range}&${filter}`)).json()) as { events: number };
    const list = (await (await get(`/api/events?${range}&${filter}`)).json()) as { data: object[] };
    expect(one.events).toBe(list.data.length);
    if (filter.endsWith(probed)) expect(one.events).toBe(2);
  }
  expect((await get('/api/events/summary?type=Nothing')).status).toBe(400);
});
