import { expect, test } from 'vitest';
import { saveTriage } from '#analytics/clickhouse/read-models/detections.ts';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { RISK_POINTS, type Risk, type RiskDetection, riskAt } from '#analytics/detections/risk/score.ts';
import { cases as hostRiskCases } from '#analytics/detections/rules/host-risk.cases.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { type Detection, SEVERITIES, VERDICTS } from '#schemas/detection.ts';
import { formatInstant } from '#schemas/events/timestamp.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { accepted, detection, trap, useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { atEnd } from '#test/support/at-end.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { startApp } from '../../running-app.ts';

const { clickhouse, store } = await useDatabase();
const { get, app } = await startApp({ deps: { clickhouse } });
atEnd(() => app.close());
const START = 1_770_000_000;
const DAY = 86_400;
const HOSTS = 12;

interface Listed {
  readonly hostname: string | null;
  readonly procname?: string;
  readonly risk: Risk;
}

const { next } = seededRandom(7);
const below = (count: number) => Math.floor(next() * count);
const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
const instant = (seconds: number) => ({ seconds, nanos: below(1e9) });

/** The expected scores by host and by program, computed by the pure function from the stored detections. */
const counted = new Map<string, RiskDetection[]>();

function count(key: string, one: RiskDetection): void {
  counted.set(key, [...(counted.get(key) ?? []), one]);
}

const stored: Detection[] = [];
for (let i = 0; i < 150; i += 1) {
  const [hostname, procname] = [
    pick([null, ...Array.from({ length: HOSTS }, (_, n) => `h${n}`)]),
    pick(['p', 'q', null]),
  ];
  const [first, lasts] = [START + below(20 * DAY), below(2 * DAY)];
  const rule = pick(['unmapped-jump', 'sensitive-program-crash', 'user-a', 'host-risk', 'fleet-scan']);
  const verdict = pick([null, null, null, ...VERDICTS]);
  const one: Detection = {
    ...detection({ id: `det_${String(i).padStart(32, '0')}`, hostname, procname, severity: pick(SEVERITIES) }),
    rule: { id: rule, version: 1, name: rule },
    firstSeen: formatInstant(instant(first)),
    lastSeen: formatInstant(instant(first + lasts + 1)),
    exception: below(6) === 0 ? 'exc' : null,
  };
  stored.push(one);
  if (verdict !== null)
    await saveTriage(clickhouse, one.id, { status: 'closed', verdict, assignee: null, note: null }, Date.now());
  if (one.exception !== null || verdict === 'false_positive' || verdict === 'benign') continue;
  if (rule === 'host-risk' || rule === 'fleet-scan') continue;
  const sign = `${rule} ${procname ?? ''}`;
  const risk = { sign, points: RISK_POINTS[one.severity], first, last: first + lasts + 1 };
  count(`host ${hostname}`, risk);
  if (procname !== null) count(`program ${hostname} ${procname}`, risk);
}

await store.landDetections(stored);

const block = store.openEvents({ topic: 'risk', partition: 0 }, Date.now());
let offset = 0;
for (const hostname of [null, ...Array.from({ length: HOSTS }, (_, n) => `h${n}`)])
  for (const procname of ['p', 'q']) {
    const one = accepted(trap(procname, 1, 1), hostname, START);
    block.append({ offset, accepted: one, raw: Buffer.from(stringifyExact(one.event)), ingestId: '' });
    offset += 1;
  }
await store.landEvents(block, -1);

/** All pages of a list. */
async function walk(path: string): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let cursor = ''; ; ) {
    const answer = await get(`${path}${cursor}`);
    const { data, nextCursor } = (await answer.json()) as { data: Listed[]; nextCursor: string | null };
    all.push(...data);
    if (nextCursor === null) return all;
    cursor = `&cursor=${nextCursor}`;
  }
}

const at = (days: number) => START + days * DAY + 1;
const until = (days: number) => `to=${new Date(at(days) * 1_000).toISOString()}`;

test.each([1, 5, 10, 21, 40])(
  'scores after %i days equal those of the pure function, by host and by program',
  async (days) => {
    const hosts = await walk(`/api/hosts?limit=5&${until(days)}`);
    expect(hosts).toHaveLength(HOSTS + 1);
    for (const { hostname, risk } of hosts)
      expect(risk).toEqual(riskAt(counted.get(`host ${hostname}`) ?? [], at(days)));
    const programs = await walk(`/api/processes?limit=5&${until(days)}`);
    expect(programs).toHaveLength(2 * (HOSTS + 1));
    for (const { hostname, procname, risk } of programs)
      expect(risk).toEqual(riskAt(counted.get(`program ${hostname} ${procname}`) ?? [], at(days)));
  },
);

test('sorts hosts and programs by risk over all pages, each once', async () => {
  for (const path of ['/api/hosts', '/api/processes']) {
    const sorted = await walk(`${path}?sort=risk&limit=2&${until(21)}`);
    const scores = sorted.map(({ risk }) => risk.score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores[0]).toBeGreaterThan(0);
    const names = sorted.map(({ hostname, procname }) => `${hostname} ${procname}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength((await walk(`${path}?limit=50&${until(21)}`)).length);
  }
  expect((await get('/api/hosts?sort=name')).status).toBe(400);
});

test('without an end uses the current score, with full points for signs of a clock that is ahead', async () => {
  const later = formatInstant({ seconds: Math.floor(Date.now() / 1_000) + DAY, nanos: 0 });
  const ahead = detection({ id: `det_${'f'.repeat(32)}`, hostname: 'h1', severity: 'medium' });
  await store.landDetections([{ ...ahead, firstSeen: later, lastSeen: later }]);
  const [first, second] = await walk('/api/hosts?sort=risk&limit=50');
  expect(first).toMatchObject({ hostname: 'h1', risk: { score: 30, normalised: 34.02, level: 'Low' } });
  expect(second?.risk).toEqual({ score: 0, normalised: 0, level: 'Unknown' });
});

test('an alert lists its signs with their points, and other detections list none', async () => {
  const found = analyzeEvents(
    hostRiskCases.find(({ name }) => name.startsWith('a service that is probed'))?.events ?? [],
    DEFAULT_DETECTION_SETTINGS,
  );
  const alert = found.find(({ rule }) => rule.id === 'host-risk') as Detection;
  const parts = found.filter(({ id }) => alert.values.includes(id));
  await store.landDetections(found);
  const [jumps] = parts as [Detection];
  await saveTriage(
    clickhouse,
    jumps.id,
    { status: 'closed', verdict: 'benign', assignee: null, note: null },
    Date.now(),
  );
  const answer = (await (await get(`/api/detections/${alert.id}/signs`)).json()) as {
    data: { rule: { id: string }; procname: string; points: number; detections: Detection[] }[];
  };
  expect(answer.data.map(({ rule, procname }) => `${rule.id} of ${procname}`).sort()).toEqual(
    alert.message
      .replace(/.*: (.*)\.$/, '$1')
      .split(', ')
      .sort(),
  );
  const sum = answer.data.reduce((total, { points }) => total + points, 0);
  // The score is the highest of the alert; the points are those at its end.
  expect(sum).toBeLessThanOrEqual(alert.risk?.score ?? 0);
  expect(sum).toBeGreaterThan((alert.risk?.score ?? 0) - 1);
  expect(answer.data.flatMap(({ detections }) => detections.map(({ id }) => id)).sort()).toEqual(
    [...alert.values].sort(),
  );
  expect(answer.data.flatMap(({ detections }) => detections).find(({ id }) => id === jumps.id)?.verdict).toBe('benign');
  expect(await (await get(`/api/detections/${jumps.id}/signs`)).json()).toEqual({ data: [] });
  expect((await get(`/api/detections/det_${'e'.repeat(32)}/signs`)).status).toBe(404);
});
