import { expect, test } from 'vitest';
import { findRuleEvents } from '#analytics/clickhouse/read-models/user-rule-events.ts';
import { runUserRule } from '#analytics/detections/backtest/run-user-rule.ts';
import { at, dump, trap } from '#analytics/detections/rule-case.ts';
import { createUserRules } from '#analytics/detections/user-rules/engine.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { useDatabase } from '#test/analytics/clickhouse/fixture.ts';
import { accepted, correlated, single } from '#test/analytics/detections/user-rules/rules.ts';
import { openTestLane } from '#test/support/lane-fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { runApp } from '../../running-app.ts';
import { analystsGuard, caller, serviceDeps } from '../triage/analysts.ts';

const { clickhouse } = await useDatabase();
const { database } = await usePostgres();

/** Time of the first event of `at`. */
const BEGIN = 1_770_000_000;

/** Crashes, dumps and changed settings of a few hosts and programs, some repeated. */
function generated(): AcceptedEvent[] {
  let state = 7;
  const below = (n: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  const events = Array.from({ length: 1_500 }, (_, i): AcceptedEvent => {
    const time = i * 20;
    const host = `web-${below(4)}`;
    const procname = ['nginx', 'Nginx', 'sshd', 'n-ä-x', 'x'.repeat(1_100)][below(5)] as string;
    const kind = below(10);
    if (kind === 0)
      return at(
        time,
        { type: 'ConfigMismatch', key: `kernel.k${below(3)}`, expected_value: '1', observed_value: '0' },
        host,
      );
    if (kind < 3)
      return at(
        time,
        dump({
          Comm: procname,
          PID: String(100 + i),
          RIP: `0033:${(0x40_1000 + below(9)).toString(16)}`,
          RDI: (2n ** 63n + BigInt(below(5))).toString(16),
        }),
        host,
      );
    const ip = kind === 3 ? 2n ** 63n + BigInt(below(30)) : 0x40_1000 + below(30) * 16;
    return at(time, trap(ip, { procname, pid: 100 + i, file: below(3) === 0 ? null : 'bin' }), host);
  });
  return events.flatMap((event, i) => (i % 50 === 0 ? [event, event] : [event]));
}

const group = 'group-by: [hostname, procname]\ntimespan: 30m';
const RULES = {
  single: single('s: { procname: nginx }\ncondition: s'),
  negated: single('s: { procname|contains: n }\nf: { ip|gte: 9223372036854775808 }\ncondition: not s and not f'),
  regex: single("s: { procname|re|i: '^n.{0,3}x$' }\nt: { file: null }\ncondition: s or t"),
  wildcard: single('s: { procname: n*x, hostname: web-? }\ncondition: s'),
  register: single('s: { registers.RDI: 0x8000000000000003 }\ncondition: s'),
  setting: single('s: { key: kernel.k1 }\nt: { type: ConfigMismatch }\ncondition: t and not s'),
  event_count: correlated(`type: event_count\nrules: nginx\n${group}\ncondition: { gte: 8 }`),
  value_count: correlated(`type: value_count\nrules: nginx\n${group}\ncondition: { field: ip, gte: 7 }`),
  temporal: correlated('type: temporal\nrules: [settings, nginx]\ngroup-by: [hostname]\ntimespan: 3m', [
    'settings',
    'nginx',
  ]),
  ordered: correlated('type: temporal_ordered\nrules: [settings, nginx]\ngroup-by: [hostname]\ntimespan: 2m', [
    'settings',
    'nginx',
  ]),
};

test('a back-test over the table finds the same as the lane, for each kind of rule', async () => {
  const events = generated();
  const { lane, send } = openTestLane(clickhouse, { topic: 'local.rules', counted: true });
  await send(
    events.map(({ event }) => ({ offset: -1, key: null, value: Buffer.from(stringifyExact(event)), ingestId: '' })),
  );
  await lane.close();
  const stretch = {
    from: { seconds: 0, nanos: 0 },
    to: { seconds: 4e9, nanos: 0 },
    maxEvents: 10_000,
    maxSeconds: 60,
  };
  const outcomes: Record<string, { found: number; judged: number }> = {};
  for (const [name, source] of Object.entries(RULES)) {
    const expected = new Map<string, Detection>();
    const engine = createUserRules({ userRules: [{ source, version: 1 }], exceptions: [] });
    for (const event of events) engine?.feed(event);
    for (const one of engine?.drain().changed ?? []) expected.set(one.id, one);
    const found = await findRuleEvents(clickhouse, accepted(source), stretch);
    const { detections, complete } = await runUserRule(
      { source, exceptions: [], columns: found.columns },
      found.rows(),
      { maxMs: 60_000 },
    );
    const byId = (a: Detection, b: Detection) => (a.id < b.id ? -1 : 1);
    expect([name, complete, detections.toSorted(byId)]).toEqual([name, true, [...expected.values()].toSorted(byId)]);
    outcomes[name] = { found: detections.length, judged: found.candidates };
    expect([name, found.events]).toEqual([name, events.length]);
  }
  for (const [name, { found }] of Object.entries(outcomes)) expect([name, found > 0]).toEqual([name, true]);
  expect(outcomes.event_count?.judged).toBeLessThan(outcomes.single?.judged ?? 0);
  expect(outcomes.single?.judged).toBeLessThan(events.length);
});

test('reads process ids and addresses only if events may be repeats', async () => {
  // Every fiftieth event is repeated.
  const events = generated().filter(({ time }) => time.seconds > BEGIN + 1_000 && time.seconds < BEGIN + 2_000);
  const stretch = {
    from: { seconds: BEGIN + 1_001, nanos: 0 },
    to: { seconds: BEGIN + 2_000, nanos: 0 },
    maxEvents: 10_000,
    maxSeconds: 60,
  };
  const source = correlated(`type: event_count\nrules: nginx\n${group}\ncondition: { gte: 2 }`);
  const engine = createUserRules({ userRules: [{ source, version: 1 }], exceptions: [] });
  for (const event of events) engine?.feed(event);
  const expected = new Set(engine?.drain().changed.map(({ id, crashes }) => `${id} ${crashes}`));
  const found = await findRuleEvents(clickhouse, accepted(source), stretch);
  const { detections } = await runUserRule({ source, exceptions: [], columns: found.columns }, found.rows(), {
    maxMs: 60_000,
  });
  expect(new Set(detections.map(({ id, crashes }) => `${id} ${crashes}`))).toEqual(expected);
  expect(expected.size).toBeGreaterThan(0);
  expect(found.columns).toEqual(['hostname', 'type', 'procname']);
  const all = await findRuleEvents(clickhouse, accepted(source), { ...stretch, to: { seconds: 4e9, nanos: 0 } });
  expect(all.columns).toEqual(['hostname', 'type', 'pid', 'ip', 'procname']);
});

test('the route returns the detections of a rule, and uses the newest events if there are too many', async () => {
  const { url } = await runApp({
    deps: { clickhouse, guard: analystsGuard(), changes: serviceDeps(clickhouse, database) },
  });
  const admin = caller(url, 'admin');
  const time = { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
  const answer = await admin('POST', '/api/user-rules/backtest', { source: RULES.value_count, ...time });
  expect(answer).toMatchObject({
    status: 200,
    body: { complete: true, silenced: 0, found: [{ rule: { id: 'user-together' } }, ...answer.body.found.slice(1)] },
  });
  expect(answer.body.detections).toBeGreaterThan(0);
  expect((await admin('POST', '/api/user-rules/backtest', { source: 'title: x' })).status).toBe(400);
  expect((await caller(url, 'ann')('POST', '/api/user-rules/backtest', { source: RULES.single })).status).toBe(403);
  const bounds = { from: { seconds: 0, nanos: 0 }, to: { seconds: 4e9, nanos: 0 }, maxEvents: 10, maxSeconds: 60 };
  const few = await findRuleEvents(clickhouse, accepted(RULES.single), bounds);
  expect(few).toMatchObject({ shortened: true, candidates: 10 });
});
