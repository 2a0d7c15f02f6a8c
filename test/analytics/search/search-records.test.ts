import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exceededLimit } from '#analytics/clickhouse/failure.ts';
import { listDetections, saveTriage } from '#analytics/clickhouse/read-models/detections.ts';
import { listEvents } from '#analytics/clickhouse/read-models/events.ts';
import type { Detection } from '#schemas/detection.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { accepted, callback, detection, limited, trap, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { issuesOf, runApp } from '../../api/running-app.ts';

const { clickhouse, store } = await useDatabase();
const START = 1_770_000_000;

interface Known {
  readonly hostname: string | null;
  readonly procname: string | null;
  readonly pid: number | null;
  readonly raw: string;
}
const EVENTS: readonly [string | null, EventType][] = [
  ['web-1', trap('nginx', 1, 0x400000n)],
  ['web-2', trap('nginx', 2, 0x400001n)],
  ['web-10', trap('sshd', 3, 2n ** 64n - 1n)],
  ['web_1', trap('ng%nx', 4, 1n)],
  ['WEB-1', trap('Nginx', 5, 2n)],
  [null, trap('ünïx"\\', 6, 3n)],
  ['web-1', callback(5)],
];

const block = store.openEvents({ topic: 'search', partition: 0 }, Date.now());
const known: Known[] = EVENTS.map(([hostname, event], offset) => {
  const one = accepted(event, hostname, START + offset);
  const raw = stringifyExact(one.event);
  block.append({ offset, accepted: one, raw: Buffer.from(raw), ingestId: '' });
  const { procname = null, pid = null } = event as { procname?: string; pid?: number };
  return { hostname, procname, pid: pid === null ? null : Number(pid), raw };
});
await store.landEvents(block, -1);

const spelled = store.openEvents({ topic: 'spelled', partition: 0 }, Date.now());
for (const [offset, file] of ['/usr/sbin/nginx', '/usr/sbin/nginx 😀 (deleted)'].entries()) {
  const one = accepted({ ...trap('Ünïx"\\', 7, 4n), file }, null, START + 100 + offset);
  const asSent = stringifyExact(one.event);
  const escaped = asSent
    .replaceAll('/', '\\/')
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`);
  spelled.append({ offset, accepted: one, raw: Buffer.from(offset === 0 ? asSent : escaped), ingestId: '' });
}
await store.landEvents(spelled, -1);

const offsets = async (q: string) =>
  (await listEvents(clickhouse, { q: `topic:search (${q})` }, { limit: 100 })).items
    .map(({ offset }) => offset)
    .sort((a, b) => a - b);

test.each([
  ['nginx', [0, 1, 4]],
  ['"show_signal_msg"', [6]],
  ['show_signal', [6]],
  ['show_sig', []],
  ['show_sig*', [6]],
  ['*ginx', [0, 1, 4]],
  ['gin', []],
  ['WEB-1', [0, 4, 6]],
  ['"web 1"', []],
  ['ÜNÏX', [5]],
  ['hostname:web-1', [0, 6]],
  ['host:web-1 procname:nginx', [0]],
  ['hostname:web-*', [0, 1, 2, 6]],
  ['hostname:web?1', [0, 3, 6]],
  ['hostname:"web-*"', []],
  ['procname:ng%nx', [3]],
  ['procname:"ünïx\\"\\\\"', [5]],
  ['ng*"invalidopcode"', [0, 1, 3, 4]],
  ['procname:null', [6]],
  ['procname!=null', [0, 1, 2, 3, 4, 5]],
  ['procname!=nginx', [2, 3, 4, 5, 6]],
  ['not procname:nginx', [2, 3, 4, 5, 6]],
  ['not (procname:nginx or pid>4)', [2, 3, 6]],
  ['pid>=2 and pid<4', [1, 2]],
  ['pid:2..4', [1, 2, 3]],
  ['ip:0xffffffffffffffff', [2]],
  ['ip:0x400000..0x400001', [0, 1]],
  ['type:LinuxSuppressedCallback or hostname:null', [5, 6]],
  ['time>="2026-02-02T02:40:05Z"', [5, 6]],
  ['time<2026-02-02', []],
  ['topic:search offset:3', [3]],
])('finds events by %s', async (q, found) => {
  expect(await offsets(q)).toEqual(found);
});

// Python's json.dumps escapes all non-ASCII letters, PHP's json_encode also escapes slashes, and every encoder escapes
// quotes.
test.each([
  ['"ünïx\\"\\\\"', [0, 1]],
  ['ÜNÏX', [0, 1]],
  ['*nïx*', [0, 1]],
  ['/usr/sbin/nginx', [0, 1]],
  ['"sbin/nginx"', [0, 1]],
  ['/usr/sbin/ngin*', [0, 1]],
  ['"😀 (deleted)"', [1]],
  ['usr/sbin', [0, 1]],
  ['/usr/bin', []],
])('finds events by %s, in any spelling of the sender', async (q, found) => {
  const { items } = await listEvents(clickhouse, { q: `topic:spelled ${q}` }, { limit: 10 });
  expect(items.map(({ offset }) => offset).sort()).toEqual(found);
});

test('any search finds the records that match its meaning', async () => {
  const leaf = fc.oneof(
    fc.constantFrom('web-1', 'web-2', 'nope').map((name) => ({
      text: `hostname:${name}`,
      holds: (record: Known) => record.hostname === name,
    })),
    fc.constantFrom('nginx', 'sshd').map((name) => ({
      text: `procname!=${name}`,
      holds: (record: Known) => record.procname !== name,
    })),
    fc.integer({ min: 0, max: 7 }).map((pid) => ({
      text: `pid>${pid}`,
      holds: (record: Known) => record.pid !== null && record.pid > pid,
    })),
    fc.constantFrom('nginx', 'SSHD', 'kern').map((word) => ({
      text: word,
      holds: (record: Known) => record.raw.toLowerCase().includes(word.toLowerCase()),
    })),
  );
  interface Search {
    readonly text: string;
    holds(record: Known): boolean;
  }
  const { search } = fc.letrec<{ search: Search }>((tie) => ({
    search: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.tuple(tie('search'), tie('search')).map(([a, b]) => ({
        text: `(${a.text}) and (${b.text})`,
        holds: (record: Known) => a.holds(record) && b.holds(record),
      })),
      fc.tuple(tie('search'), tie('search')).map(([a, b]) => ({
        text: `(${a.text} or ${b.text})`,
        holds: (record: Known) => a.holds(record) || b.holds(record),
      })),
      tie('search').map((a) => ({ text: `not (${a.text})`, holds: (record: Known) => !a.holds(record) })),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(search, async ({ text, holds }) => {
      const expected = known.flatMap((record, offset) => (holds(record) ? [offset] : []));
      expect(await offsets(text)).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});

test('finds detections by their own fields', async () => {
  let number = 0;
  const land = async (over: Partial<Detection>) => {
    const one = detection({ id: `det_${String(++number).padStart(32, '0')}`, ...over });
    await store.landDetections([one]);
    return one.id;
  };
  const a = await land({ severity: 'critical', crashes: 500, values: ['0xdead'], procname: 'a' });
  const b = await land({ severity: 'high', lastSeen: '2026-03-05T00:00:00.000000000Z', procname: 'b' });
  const c = await land({ severity: 'low', exception: 'exc_1', procname: 'c', attack: [] });
  await saveTriage(clickhouse, b, { status: 'closed', verdict: 'benign', assignee: 'ann', note: 'A Known Job' }, 1);
  const ids = async (q: string) => (await listDetections(clickhouse, { q }, { limit: 100 })).items.map(({ id }) => id);
  for (const [q, found] of [
    ['severity>=high', [a, b]],
    ['severity<high', [c]],
    ['status:closed', [b]],
    ['verdict:null', [a, c]],
    ['assignee:ann or crashes>100', [a, b]],
    ['note:known', [b]],
    ['"known job"', [b]],
    ['value:0xdead', [a]],
    ['value:0xd*', [a]],
    ['exception:null', [a, b]],
    ['technique:T1203', [a, b]],
    ['technique:null', [c]],
    ['last>=2026-03-01', [b]],
    ['rule:instruction-* and not status:closed', [a, c]],
  ] as const)
    expect([q, (await ids(q)).sort()]).toEqual([q, [...found].sort()]);
});

test('over HTTP: an error names its position, and a search above the limit is rejected', async () => {
  const { get } = await runApp({ deps: { clickhouse } });
  const wrong = await get(`/api/events?q=${encodeURIComponent('hostname:web and (pid>x)')}`);
  expect(wrong.status).toBe(400);
  expect(await issuesOf(wrong)).toMatchObject([{ field: 'q', message: expect.stringContaining('at character 23') }]);
  expect((await get('/api/dead-letters?q=hostname:x')).status).toBe(400);
  expect((await get('/api/detections/summary?q=nope:x')).status).toBe(400);
  const found = await get(`/api/events?format=ndjson&q=${encodeURIComponent('procname:nginx pid:1')}`);
  expect((await found.text()).trim().split('\n')).toHaveLength(1);

  for (const [settings, limit] of [
    [{ max_rows_to_read: '1', max_execution_time: 5 }, 'rows'],
    [{ max_memory_usage: '1000', max_untracked_memory: '1' }, 'memory'],
  ] as const) {
    const small = limited(clickhouse, settings);
    const error = await listEvents(small, { q: 'nginx' }, { limit: 5 }).catch((failure: unknown) => failure);
    expect(exceededLimit(error)).toBe(limit);
    const { get: ask } = await runApp({ deps: { clickhouse: small } });
    for (const path of ['/api/events?q=nginx', '/api/events?q=nginx&format=ndjson', '/api/hosts']) {
      const refused = await ask(path);
      expect(refused.status).toBe(400);
      expect(await issuesOf(refused)).toMatchObject([{ message: expect.stringContaining('than a query may') }]);
    }
  }
});
