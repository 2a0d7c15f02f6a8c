import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { abort, at, dump, hex, suppressed, times, trap } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS, detectionSettingsSchema } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

const TEXT = 0x40_1100;
const YEAR_2200 = 5_500_000_000;
const YEAR_1901 = -3_900_000_000;
const analyze = (events: Iterable<AcceptedEvent>) => analyzeEvents(events, DEFAULT_DETECTION_SETTINGS);
const probe = (i: number, hostname = 'victim') => at(i * 60, trap(TEXT + 4 * i, { pid: 100 + i }), hostname);

describe('forged times', () => {
  test.each([
    ['the far future', YEAR_2200],
    ['the far past', YEAR_1901],
  ])('an event from %s after every probe changes nothing', (_, when) => {
    const forged = (i: number) => at(when + i * 86_400, trap(0x7000 + i * 0x1_0000, { pid: 9 }), 'victim');
    const events = times(20, (i) => [probe(i), forged(i)]).flat();
    expect(analyze(events).map((d) => [d.rule.id, d.evidenceCount])).toEqual([['instruction-pointer-probe', 20]]);
  });

  test('the probe’s own addresses repeated with forged times do not hide it', () => {
    const events = times(20, (i) => [
      probe(i),
      at(i % 2 === 0 ? YEAR_2200 + i * 1e6 : YEAR_1901 - i * 1e6, trap(TEXT + 4 * i, { pid: 7 }), 'victim'),
    ]).flat();
    const found = analyze(events).filter((d) => d.firstSeen.startsWith('2026'));
    expect(found.map((d) => d.rule.id)).toEqual(['instruction-pointer-probe']);
    expect(found[0]?.valuesTotal).toBe(20);
  });

  test('a forged event does not end an open episode', () => {
    const events = [
      ...times(5, (i) => probe(i)),
      at(YEAR_2200, trap(TEXT + 4), 'victim'),
      ...times(5, (i) => probe(5 + i)),
    ];
    const [detection, ...others] = analyze(events);
    expect(others).toEqual([]);
    expect(detection).toMatchObject({ valuesTotal: 10, lastSeen: '2026-02-02T02:49:00.000000000Z' });
  });

  test('forged aborts do not dilute a canary probe', () => {
    const events = times(60, (i) => [
      at(i / 5, abort(100 + i, hex(0x7f00_0000_1000))),
      at(YEAR_2200 + i * 1e5, abort(900 + i, hex(0x1000 * i))),
    ]).flat();
    expect(analyze(events).map((d) => [d.rule.id, d.severity])).toEqual([['stack-canary-probe', 'high']]);
  });

  test('disorder within the window changes neither the detections nor their ids', () => {
    const events = times(30, (i) => probe(i));
    const disordered = events.map((_, i) => events[(i % 2 === 0 ? i + 1 : i - 1) % 30] as AcceptedEvent);
    const [a, b] = [analyze(events), analyze(disordered)];
    expect(b).toHaveLength(1);
    expect(b[0]).toMatchObject({ valuesTotal: 30, firstSeen: a[0]?.firstSeen, lastSeen: a[0]?.lastSeen });
  });
});

describe('malicious names', () => {
  test('no two (host, program) pairs share a key, with any separators', () => {
    const names = ['a', 'a/b', 'a\u0000b', 'a|b', 'a,b', '["a","b"]', '', ' ', 'a ', 'A', '\ud800', '\udc00'];
    const events = names.flatMap((host, h) =>
      names.map((procname, p) => at(h + p, trap(TEXT + 4 * h + 4 * p, { procname, file: null, vmastart: null }), host)),
    );
    expect(analyze(events)).toEqual([]);
    const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
    for (const event of events) tracker.feed(event);
    expect(tracker.stats()).toMatchObject({ hosts: names.length, programs: names.length ** 2 });
  });

  test('a missing host differs from a host with an empty name', () => {
    const events = times(4, (i) => at(i, trap(TEXT + 4 * i), i % 2 === 0 ? null : ''));
    expect(analyze(events)).toEqual([]);
  });

  test('names of a megabyte are distinguished and not stored', () => {
    const long = 'x'.repeat(1_000_000);
    const events = (end: string) =>
      times(4, (i) => at(i, trap(TEXT + 4 * i, { procname: `${long}${end}`, file: null }), `${long}${end}`));
    const found = analyze([...events('a'), ...events('b')]);
    expect(found).toHaveLength(2);
    expect(found[0]?.id).not.toBe(found[1]?.id);
    for (const d of found) expect(JSON.stringify(d).length).toBeLessThan(4_000);
    const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
    for (const event of events('a')) tracker.feed(event);
    tracker.drain();
    expect(tracker.snapshot().join('').length).toBeLessThan(10_000);
  });

  test('names of object properties are ordinary names', () => {
    const events = ['__proto__', 'constructor', 'toString'].flatMap((name) =>
      times(3, (i) => at(i, trap(TEXT + 4 * i, { procname: name, file: name }), name)),
    );
    expect(analyze(events).map((d) => d.procname)).toEqual(['__proto__', 'constructor', 'toString']);
  });

  test('a program that renames itself for every crash is still one program', () => {
    const events = times(10, (i) => at(i, trap(TEXT + 4 * i, { procname: `w${i}`, file: 'edge-gw' })));
    expect(analyze(events).map((d) => [d.rule.id, d.file, d.valuesTotal])).toEqual([
      ['instruction-pointer-probe', 'edge-gw', 10],
    ]);
  });

  test('the dump of a renamed worker belongs to the program of its trap line', () => {
    const events = times(6, (i) => [
      at(i, trap(TEXT + 4 * i, { procname: 'nginx: worker', file: 'nginx', pid: 50 + i })),
      at(i + 0.001, dump({ Comm: 'nginx: worker', PID: String(50 + i), RIP: `0033:0x${(TEXT + 4 * i).toString(16)}` })),
    ]).flat();
    expect(analyze(events).map((d) => [d.rule.id, d.crashes, d.evidenceCount])).toEqual([
      ['instruction-pointer-probe', 6, 6],
    ]);
  });

  test('a name of more than 15 characters matches the truncated one of its dumps', () => {
    const events = times(4, (i) => [
      at(2 * i, trap(TEXT + 4 * i, { procname: 'java-backend-se', file: 'java-backend-service', pid: 1 })),
      at(2 * i + 1, dump({ Comm: 'java-backend-se', PID: '9', RIP: `0x${(TEXT + 4 * i + 2).toString(16)}` })),
    ]).flat();
    expect(analyze(events).map((d) => [d.rule.id, d.valuesTotal])).toEqual([['instruction-pointer-probe', 8]]);
  });
});

describe('floods', () => {
  const settings = detectionSettingsSchema.parse({
    limits: { maxPrograms: 1000, maxProgramsPerHost: 200, maxPoints: 5000 },
  });
  const slowProbe = (i: number) => at(i * 600, trap(TEXT + 4 * i, { pid: 100 + i }), 'victim');

  test.each<[string, (i: number) => AcceptedEvent[]]>([
    [
      'of invented hosts',
      (i) =>
        times(1500, (n) => at(i * 600 + 1, trap(0x1000, { procname: 'x', file: null, pid: n }), `flood-${i}-${n}`)),
    ],
    [
      'of invented programs on the attacked host',
      (i) =>
        times(1500, (n) => at(i * 600 + 1, trap(0x1000, { procname: `p-${i}-${n}`, file: null, pid: n }), 'victim')),
    ],
    [
      'of invented programs on another host, twice each',
      (i) =>
        times(1500, (n) =>
          at(i * 600 + 1, trap(0x1000, { procname: `p-${i}-${n >> 1}`, file: null, pid: n }), 'other'),
        ),
    ],
    [
      'of addresses of the attacked program itself',
      (i) =>
        times(110, (n) =>
          at(i * 600 + 1, trap(0x1_0000 + (((i * 3000 + n) * 7919 * 128) % 2 ** 40), { file: null }), 'victim'),
        ),
    ],
  ])('%s do not hide a slow probe', (_, between) => {
    // The host is known and the program has crashed before, as is usual for a real target.
    const before = times(10, (i) => at(-1000 + i, trap(0x40_1500 + 96 * (i % 4), { pid: i }), 'victim'));
    const tracker = createTracker(settings);
    let evidence = 0;
    for (const event of [...before, ...times(8, (i) => [slowProbe(i), ...between(i)]).flat()]) {
      tracker.feed(event);
      const probes = tracker.drain().changed.filter((d) => d.hostname === 'victim' && d.register === 'ip');
      evidence = Math.max(evidence, ...probes.map((d) => d.evidenceCount));
    }
    expect(evidence).toBe(8);
    const { programs, evictions } = tracker.stats();
    expect(programs).toBeLessThanOrEqual(1000);
    if (!_.includes('addresses')) expect(evictions).toBeGreaterThan(1000);
  });

  test('hosts that only send suppressed callbacks are bounded, too', () => {
    const tracker = createTracker(settings);
    for (let i = 0; i < 5000; i += 1) tracker.feed(at(i, suppressed(1000), `flood-${i}`));
    tracker.drain();
    expect(tracker.stats().hosts).toBeLessThanOrEqual(200);
    expect(tracker.stats().evictions).toBeGreaterThan(4000);
  });

  test('an episode with endless distinct addresses stays small', () => {
    const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
    for (let i = 0; i < 30_000; i += 1) tracker.feed(at(i / 50, trap(TEXT + 3 * i, { vmasize: 2 ** 30 })));
    const [detection] = tracker.drain().changed;
    expect(detection).toMatchObject({ valuesTotal: 30_000, severity: 'critical' });
    expect(detection?.values).toHaveLength(256);
    expect(tracker.snapshot().join('').length).toBeLessThan(600_000);
  });
});
