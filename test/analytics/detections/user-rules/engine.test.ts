import { expect, test } from 'vitest';
import { at, trap } from '#analytics/detections/rule-case.ts';
import {
  DEFAULT_DETECTION_SETTINGS,
  type DetectionSettings,
  detectionSettingsSchema,
} from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { Tracker } from '#analytics/detections/tracker-port.ts';
import { createDetectionTracker } from '#analytics/detections/user-rules/detection-tracker.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { correlated, single } from './rules.ts';

const HOUR = 3_600;

function settings(...sources: string[]): DetectionSettings {
  return detectionSettingsSchema.parse({ userRules: sources.map((source, i) => ({ source, version: i + 3 })) });
}

function crash(seconds: number, ip = 0x40_1000, procname = 'nginx', hostname = 'web-1'): AcceptedEvent {
  return at(seconds, trap(ip, { procname, pid: 1_000 + Math.round(seconds * 10), file: procname }), hostname);
}

function mismatch(seconds: number, key = 'kernel.x'): AcceptedEvent {
  return at(seconds, { type: 'ConfigMismatch', key, expected_value: '1', observed_value: '0' }, 'web-1');
}

function collect(tracker: Tracker, events: readonly AcceptedEvent[]): Detection[] {
  const found = new Map<string, Detection>();
  for (const event of events) {
    tracker.feed(event);
    for (const one of tracker.drain().changed) found.set(one.id, one);
  }
  return [...found.values()].filter(({ rule }) => rule.id.startsWith('user-'));
}

const judge = (source: string, events: readonly AcceptedEvent[]) =>
  collect(createDetectionTracker(settings(source)), events);
const count = (condition: string) =>
  correlated(
    `type: event_count\nrules: nginx\ngroup-by: [hostname, procname]\ntimespan: 10m\ncondition: { ${condition} }`,
  );

test('the parent of the process is its executable, or its name if unknown', () => {
  const source = single('s: { parent: [/usr/sbin/sshd, cron] }\ncondition: s');
  const of = (parent: object) => {
    const { event, ...accepted } = crash(0);
    return { ...accepted, event: { ...event, event: { ...event.event, process: { parent } } } } as AcceptedEvent;
  };
  const found = (parent: object) => judge(source, [of(parent)]).length;
  expect(found({ executable: '/usr/sbin/sshd', name: 'sshd' })).toBe(1);
  expect(found({ name: 'cron' })).toBe(1);
  expect(found({ executable: '/usr/sbin/cron', name: 'cron' })).toBe(0);
});

test('each selected event is evidence of one detection until an hour passes without any', () => {
  const source = single('s: { procname: nginx }\ncondition: s', 'level: low\ntags: [attack.execution, attack.t1203]\n');
  const found = judge(source, [crash(0), crash(60, 0x40_2000), crash(60.5, 1, 'sshd'), crash(3 * HOUR)]);
  expect(found).toMatchObject([
    {
      rule: { id: 'user-a-rule', version: 3, name: 'A rule' },
      severity: 'low',
      hostname: 'web-1',
      procname: 'nginx',
      crashes: 2,
      evidenceCount: 2,
      revision: 2,
      values: ['0x401000', '0x402000'],
      attack: [{ tactic: 'TA0002', technique: 'T1203' }],
      register: null,
      event: null,
    },
    { crashes: 1, evidenceCount: 1 },
  ]);
});

test('event_count fires on the event that completes the count within the timespan, by group', () => {
  const slow = [0, 400, 800, 1_200, 1_600].map((t) => crash(t));
  expect(judge(count('gte: 3'), slow)).toEqual([]);
  const others = [0, 1, 2, 3].map((t) => crash(t, 0x40_1000, 'nginx', `web-${t}`));
  expect(judge(count('gte: 3'), others)).toEqual([]);
  const found = judge(count('gt: 2'), [crash(0), crash(300), crash(600), crash(601)]);
  expect(found).toMatchObject([
    { evidenceCount: 4, crashes: 4, severity: 'high', firstSeen: expect.stringContaining(':40:00.000000000Z') },
  ]);
});

test('the order of events does not change counts', () => {
  const events = [0, 100, 200, 700, 900, 1_000].map((t) => crash(t));
  const inOrder = judge(count('gte: 3'), events).length;
  const shuffled = judge(
    count('gte: 3'),
    [4, 0, 3, 2, 5, 1].map((i) => events[i] as AcceptedEvent),
  ).length;
  expect([inOrder, shuffled]).toEqual([1, 1]);
});

test('a forged event of the far future does not end a count', () => {
  const far = crash(60 * 365 * 86_400);
  expect(judge(count('gte: 3'), [crash(0), far, crash(1), crash(2)])).toHaveLength(1);
});

test('an event that is delivered twice counts once', () => {
  expect(judge(count('gte: 3'), [crash(0), crash(0), crash(0), crash(1), crash(1)])).toEqual([]);
});

test('value_count counts distinct values, exactly above 2^53', () => {
  const source = correlated(
    'type: value_count\nrules: nginx\ngroup-by: [hostname]\ntimespan: 10m\ncondition: { field: ip, gte: 3 }',
  );
  const trapAt = (t: number, ip: bigint) => at(t, trap(ip, { procname: 'nginx', pid: 10 + t }), 'web-1');
  const base = 2n ** 63n;
  expect(
    judge(
      source,
      [1, 2, 3, 4, 5].map((t) => trapAt(t, base + BigInt(t % 2))),
    ),
  ).toEqual([]);
  const [found] = judge(
    source,
    [1, 2, 3].map((t) => trapAt(t, base + BigInt(t))),
  );
  expect(found).toMatchObject({
    procname: null,
    values: ['0x8000000000000001', '0x8000000000000002', '0x8000000000000003'],
  });
});

test('temporal needs all of its rules in any order, temporal_ordered in the given one', () => {
  const of = (type: string) =>
    correlated(`type: ${type}\nrules: [settings, nginx]\ngroup-by: [hostname]\ntimespan: 5m`, ['settings', 'nginx']);
  const [first, second] = [
    [mismatch(0), crash(100)],
    [crash(0), mismatch(100)],
  ];
  expect([judge(of('temporal'), first).length, judge(of('temporal'), second).length]).toEqual([1, 1]);
  expect([judge(of('temporal_ordered'), first).length, judge(of('temporal_ordered'), second).length]).toEqual([1, 0]);
  expect(judge(of('temporal_ordered'), [mismatch(0), crash(301)])).toEqual([]);
});

test('a snapshot continues exactly, at every event', () => {
  const sources = [count('gte: 4'), single('s: { procname: sshd }\ncondition: s')];
  const events = Array.from({ length: 60 }, (_, i) =>
    crash(i * 37, 0x40_1000 + (i % 5) * 64, i % 7 === 0 ? 'sshd' : 'nginx', `web-${i % 2}`),
  );
  const whole = collect(createDetectionTracker(settings(...sources)), events);
  expect(whole.length).toBeGreaterThan(2);
  let tracker = createDetectionTracker(settings(...sources));
  const found = new Map<string, Detection>();
  for (const event of events) {
    tracker.feed(event);
    const restored = createDetectionTracker(settings(...sources));
    restored.restore(tracker.snapshot());
    tracker = restored;
    for (const one of tracker.drain().changed) if (one.rule.id.startsWith('user-')) found.set(one.id, one);
  }
  expect([...found.values()]).toEqual(whole);
});

test('rules can be added and removed between snapshots, and a new version begins with an empty state', () => {
  const before = createDetectionTracker(settings(count('gte: 3')));
  for (const event of [crash(0), crash(1)]) before.feed(event);
  before.drain();
  const chunks = before.snapshot();
  createDetectionTracker(DEFAULT_DETECTION_SETTINGS).restore(chunks);
  const changed = createDetectionTracker(settings(`${count('gte: 3')}# another version\n`));
  changed.restore(chunks);
  expect(collect(changed, [crash(2)])).toEqual([]);
  const same = createDetectionTracker(settings(count('gte: 3')));
  same.restore(chunks);
  expect(collect(same, [crash(2)])).toHaveLength(1);
  const plain = createTracker(DEFAULT_DETECTION_SETTINGS);
  plain.feed(crash(0));
  const added = createDetectionTracker(settings(count('gte: 3')));
  added.restore(plain.snapshot());
});

test('exceptions silence detections of user rules', () => {
  const exception = { id: 'ours', rule: 'user-a-rule', hostname: 'web-*', reason: 'known' };
  const source = single('s: { procname: nginx }\ncondition: s');
  const tracker = createDetectionTracker(
    detectionSettingsSchema.parse({ userRules: [{ source, version: 1 }], exceptions: [exception] }),
  );
  tracker.feed(crash(0));
  const { changed, announced } = tracker.drain();
  expect(changed).toMatchObject([{ exception: 'ours' }]);
  expect(announced).toEqual([]);
});

test('a flood of groups evicts itself and memory stays bounded', () => {
  const tracker = createDetectionTracker(settings(count('gte: 3')));
  for (let i = 0; i < 12_000; i += 1) tracker.feed(crash(i / 10, 0x40_1000, 'nginx', `flood-${i}`));
  const groups = (JSON.parse(tracker.snapshot().at(-1) ?? '{}') as { rules: { groups: unknown[] }[] }).rules[0]?.groups
    .length;
  expect(groups).toBe(5_000);
  expect(collect(tracker, [crash(2_000), crash(2_001), crash(2_002)])).toHaveLength(1);
});
