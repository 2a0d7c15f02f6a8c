import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { at, dump, suppressed, times, trap } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS, detectionSettingsSchema } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';

const TEXT = 0x40_1100;
const analyze = (events: Iterable<AcceptedEvent>, settings = DEFAULT_DETECTION_SETTINGS) =>
  analyzeEvents(events, settings);
const probe = (i: number, procname = 'edge-gw') =>
  at(i, trap(TEXT + 4 * i, { procname, file: procname, pid: 100 + i }));
const ripOf = (ip: number) => `0033:0x${ip.toString(16)}`;

describe('an episode', () => {
  test('is one object that grows by one revision per event', () => {
    const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
    const seen: Detection[] = [];
    for (let i = 0; i < 20; i += 1) {
      tracker.feed(probe(i));
      seen.push(...tracker.drain().changed);
    }
    expect(new Set(seen.map((d) => d.id)).size).toBe(1);
    expect(seen.map((d) => d.revision)).toEqual(times(18, (i) => i + 1));
    expect(seen.map((d) => d.evidenceCount)).toEqual(times(18, (i) => i + 3));
    expect(seen.at(-1)).toMatchObject({
      firstSeen: '2026-02-02T02:40:00.000000000Z',
      lastSeen: '2026-02-02T02:40:19.000000000Z',
      crashes: 20,
      valuesTotal: 20,
      status: 'new',
    });
  });

  test('is announced when it opens and at every power of two of evidence, however it is drained', () => {
    const announced = (drainEvery: number) => {
      const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
      const counts: number[] = [];
      for (let i = 0; i < 70; i += 1) {
        tracker.feed(probe(i));
        if (i % drainEvery === 0) counts.push(...tracker.drain().announced.map((d) => d.evidenceCount));
      }
      return [...counts, ...tracker.drain().announced.map((d) => d.evidenceCount)];
    };
    for (const drainEvery of [1, 7, 1000]) expect(announced(drainEvery)).toEqual([3, 4, 8, 16, 32, 64]);
  });

  test('has an id that depends only on its content', () => {
    const events = times(10, (i) => probe(i));
    const unrelated = times(500, (i) =>
      at(i, trap(0x9_0000 + i * 4096, { procname: 'other', file: null }), 'elsewhere'),
    );
    expect(analyze([...unrelated, ...events])[0]?.id).toBe(analyze(events)[0]?.id);
    expect(analyze(times(10, (i) => probe(i + 1)))[0]?.id).not.toBe(analyze(events)[0]?.id);
    expect(analyze(times(10, (i) => probe(i, 'edge-gx')))[0]?.id).not.toBe(analyze(events)[0]?.id);
  });

  test('ends after the quiet time; later evidence starts another one', () => {
    const day = 86_400;
    const events = [...times(5, (i) => probe(i)), ...times(5, (i) => at(day + i, trap(TEXT + 4 * i)))];
    const found = analyze(events);
    expect(found.map((d) => d.evidenceCount)).toEqual([5, 5]);
    expect(new Set(found.map((d) => d.id)).size).toBe(2);
  });

  test('counts other crashes of the program, but not as evidence', () => {
    const stack = (i: number) => at(i + 0.5, trap(0x7ffc_0a5a_f5a8, { file: null, pid: 500 + i }));
    const [detection] = analyze(times(10, (i) => [probe(i), stack(i)]).flat());
    expect(detection).toMatchObject({ evidenceCount: 10, crashes: 20, valuesTotal: 10 });
  });

  test('of several runs of one program is one', () => {
    const events = [...times(10, (i) => probe(i)), ...times(10, (i) => at(20 + i, trap(TEXT + 0x800 + 4 * i)))];
    expect(analyze(events).map((d) => [d.evidenceCount, d.valuesTotal])).toEqual([[20, 20]]);
  });
});

describe('one crash in two lines', () => {
  const both = (i: number, ip: number) => [
    at(i, trap(ip, { pid: 100 + i })),
    at(i + 0.0001, dump({ PID: String(100 + i), RIP: ripOf(ip) })),
  ];

  test('counts once, also if the dump is printed first or truncated', () => {
    const events = times(12, (i) => {
      const lines = both(i, TEXT + 4 * i);
      if (i % 3 === 0) return lines;
      return i % 3 === 1
        ? lines.toReversed()
        : [lines[0] as AcceptedEvent, at(i + 0.1, dump({ PID: String(100 + i) }))];
    }).flat();
    expect(analyze(events)[0]).toMatchObject({ crashes: 12, evidenceCount: 12, valuesTotal: 12 });
  });

  test('counts once for concurrent crashes at one address, also after a restart', () => {
    const events = times(12, (i) => {
      const pids = times(3, (n) => 100 + 3 * i + n);
      const cut = i % 2 === 0 ? {} : { RIP: ripOf(TEXT + 4 * i) };
      return [
        ...pids.map((pid, n) => at(i + n / 1000, trap(TEXT + 4 * i, { pid }))),
        ...pids.map((pid, n) => at(i + 0.1 + n / 1000, dump({ PID: String(pid), ...cut }))),
      ];
    }).flat();
    expect(analyze(events)[0]).toMatchObject({ crashes: 36 });
    const restored = times(events.length, (stop) => {
      const before = createTracker(DEFAULT_DETECTION_SETTINGS);
      for (const event of events.slice(0, stop)) before.feed(event);
      const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
      tracker.restore(before.snapshot());
      for (const event of events.slice(stop)) tracker.feed(event);
      return tracker.drain().changed[0]?.crashes;
    });
    expect(new Set(restored)).toEqual(new Set([36]));
  });

  test('counts twice when the pid is reused later', () => {
    const events = times(6, (i) => [
      at(i * 10, trap(TEXT + 4 * i, { pid: 7 })),
      at(i * 10 + 5, dump({ PID: '7', RIP: ripOf(TEXT + 4 * i) })),
    ]).flat();
    expect(analyze(events)[0]).toMatchObject({ crashes: 12, evidenceCount: 12 });
  });

  test('joins dumps that arrived before their mapping was known', () => {
    const early = times(4, (i) => at(i, dump({ PID: String(i), RIP: ripOf(TEXT + 32 * i) })));
    const late = times(4, (i) => at(10 + i, trap(TEXT + 32 * i + 16, { pid: 50 + i })));
    expect(analyze([...early, ...late]).map((d) => [d.file, d.valuesTotal])).toEqual([['edge-gw', 8]]);
  });
});

describe('suppressed callbacks', () => {
  test('belong to the probe they accompany, from its first evidence on', () => {
    const events = [
      at(-1, suppressed(123)),
      probe(0),
      at(0.5, suppressed(10)),
      probe(1),
      probe(2),
      at(3, suppressed(89)),
      at(4, suppressed(1000, 'net_ratelimit')),
      at(10_000, suppressed(7)),
    ];
    expect(analyze(events)).toMatchObject([{ suppressedAtLeast: 99, revision: 2, evidenceCount: 3 }]);
  });

  test('belong to the most recently active of several', () => {
    const events = [
      ...times(4, (i) => probe(i, 'first')),
      ...times(4, (i) => at(10 + i, trap(TEXT + 4 * i, { procname: 'second', file: null, vmastart: null }))),
      at(15, suppressed(40)),
    ];
    const probes = analyze(events).filter(({ register }) => register !== null);
    expect(probes.map((d) => [d.procname, d.suppressedAtLeast])).toEqual([
      ['first', 0],
      ['second', 40],
    ]);
  });

  describe('on a host that logs dumps', () => {
    const dumped = (i: number) => at(i / 10 + 0.05, dump({ PID: String(100 + i), RIP: ripOf(TEXT + 4 * i) }));
    const trapped = (i: number) => at(i / 10, trap(TEXT + 4 * i, { pid: 100 + i }));

    test('are crashes whose dumps were counted', () => {
      const scan = times(60, (i) => (i < 10 ? [trapped(i), dumped(i)] : [dumped(i)])).flat();
      const events = [...scan, at(7, suppressed(50)), at(7, suppressed(4, 'get_signal'))];
      // The vendor kernel has a separate limit for dumps. Messages that it suppressed were not counted.
      expect(analyze(events)).toMatchObject([{ crashes: 60, suppressedAtLeast: 4 }]);
    });

    test('count beyond the dumps, and each dump explains one line once', () => {
      const events = [
        ...times(10, (i) => [trapped(i), dumped(i)]).flat(),
        ...times(20, (i) => dumped(10 + i)),
        at(7, suppressed(50)),
        ...times(10, (i) => dumped(100 + i)),
        at(14, suppressed(15)),
      ];
      expect(analyze(events)).toMatchObject([{ crashes: 40, suppressedAtLeast: 35 }]);
    });

    test('are not crashes of trap lines after their dumps, nor of aborts', () => {
      const events = [
        ...times(10, (i) => [dumped(i), trapped(i)]).flat(),
        ...times(5, (i) => at(2 + i / 10, dump({ PID: String(900 + i) }, 'SIGIOT'))),
        at(7, suppressed(8)),
      ];
      expect(analyze(events)).toMatchObject([{ rule: { id: 'instruction-pointer-probe' }, suppressedAtLeast: 8 }]);
    });
  });

  test('of another host do not count', () => {
    expect(analyze([...times(4, (i) => probe(i)), at(5, suppressed(400), 'elsewhere')])[0]?.suppressedAtLeast).toBe(0);
  });
});

describe('severity', () => {
  test('increases with the evidence', () => {
    expect(analyze(times(5, (i) => probe(i)))[0]?.severity).toBe('medium');
    expect(analyze(times(6, (i) => probe(i)))[0]?.severity).toBe('high');
    expect(analyze(times(63, (i) => probe(i)))[0]?.severity).toBe('high');
    expect(analyze(times(64, (i) => probe(i)))[0]?.severity).toBe('critical');
  });

  test('does not increase with messages that the kernel suppressed for the whole host', () => {
    expect(analyze([...times(4, (i) => probe(i)), at(5, suppressed(100_000))])[0]?.severity).toBe('medium');
  });
});

describe('the RegisterProbe event', () => {
  test('is a valid V1 event at the time of the latest evidence, with few values and the total count', () => {
    for (const [count, justification] of [
      [5, { RegisterValues: ['0x401100', '0x401104', '0x401108', '0x40110c', '0x401110'] }],
      [40, { EventCount: 40 }],
    ] as const) {
      const [detection] = analyze(times(count, (i) => probe(i)));
      expect(detection?.event).toMatchObject({
        timestamp: detection?.lastSeen,
        hostname: 'edge-1',
        event: { type: 'RegisterProbe', procname: 'edge-gw', register: 'ip', justification },
      });
      expect(readEvent(JSON.stringify(detection?.event))).toMatchObject({ ok: true });
    }
  });

  test.each([
    ['none', 5, { EventCount: 5 }],
    ['summary', 2, { RegisterValues: ['0x401100', '0x401104'] }],
  ] as const)('carries the justification %s', (justification, shown, expected) => {
    const settings = detectionSettingsSchema.parse({ justification });
    const [detection] = analyze(
      times(5, (i) => probe(i)),
      settings,
    );
    const event = detection?.event?.event;
    if (event?.type !== 'RegisterProbe') throw new Error('the detection has no RegisterProbe event');
    const found = event.justification;
    const cut = 'RegisterValues' in found ? { RegisterValues: found.RegisterValues.slice(0, shown) } : found;
    expect(cut).toEqual(expected);
  });

  test('contains the whole events of its program if configured: at most the latest 16, exact, each once', () => {
    const settings = detectionSettingsSchema.parse({ justification: 'full' });
    const events = times(40, (i) => probe(i));
    const noise = times(40, (i) => at(i, trap(0xffff_ffff_ff60_0000n, { procname: 'other', file: 'other' }), 'edge-1'));
    const stream = events.flatMap((event, i) => [event, event, noise[i] as AcceptedEvent]);
    const [detection] = analyze(stream, settings);
    expect(detection?.event?.event).toMatchObject({
      type: 'RegisterProbe',
      justification: { FullEvents: events.slice(-16).map(({ event }) => event) },
    });
    const text = stringifyExact(detection?.event);
    expect(readEvent(text)).toMatchObject({ ok: true });
  });

  test('an event that is too long is omitted; without any event, values justify the detection', () => {
    const settings = detectionSettingsSchema.parse({ justification: 'full' });
    const long = times(5, (i) => at(i, { ...trap(TEXT + 4 * i), padding: 'x'.repeat(9_000) } as EventType));
    const [detection] = analyze(long, settings);
    expect(detection?.event?.event).toMatchObject({ justification: { RegisterValues: expect.any(Array) } });
  });

  test('fed back into the stream changes nothing', () => {
    const events = times(5, (i) => probe(i));
    const probes = analyze(events).map((d) => at(3, d.event?.event as never));
    expect(analyze([...events, ...probes])).toEqual(analyze(events));
  });
});

describe('settings', () => {
  const withExceptions = (...exceptions: unknown[]) => detectionSettingsSchema.parse({ exceptions });

  test.each([
    [{ hostname: 'edge-*' }, true],
    [{ hostname: 'edge-?', program: 'edge-gw', file: '*', rule: 'instruction-*' }, true],
    [{ hostname: 'edge' }, false],
    [{ program: 'edge' }, false],
    [{ rule: 'detector-tampering' }, false],
    [{ file: 'libc*' }, false],
    [{ program: 'edge-gw', expires: '2026-02-02T02:40:09.000000001Z' }, true],
    [{ program: 'edge-gw', expires: '2026-02-02T03:40:09+01:00' }, false],
  ])('an exception %o covers: %s, and the record stays', (exception, covered) => {
    const settings = withExceptions({ id: 'exc-1', reason: 'fuzzing', ...exception });
    const found = analyzeEvents(
      times(10, (i) => probe(i)),
      settings,
    );
    expect(found.map((d) => d.exception)).toEqual([covered ? 'exc-1' : null]);
    expect(found[0]?.evidenceCount).toBe(10);
  });

  test('an exception silences: nothing is announced while it covers the detection, and the first revision after it is', () => {
    const settings = withExceptions({ id: 'exc-1', reason: 'r', hostname: '*', expires: '2026-02-02T02:40:06Z' });
    const tracker = createTracker(settings);
    const announced = times(10, (i) => probe(i)).map((event) => {
      tracker.feed(event);
      const { changed, announced } = tracker.drain();
      return [changed[0]?.evidenceCount, announced[0]?.evidenceCount];
    });
    expect(announced.slice(2)).toEqual([
      [3, undefined],
      [4, undefined],
      [5, undefined],
      [6, undefined],
      [7, 7],
      [8, 8],
      [9, undefined],
      [10, undefined],
    ]);
  });

  test('an exception needs a reason, a subject and an existing rule', () => {
    expect(() => withExceptions({ id: 'a', hostname: '*' })).toThrow(/reason/);
    expect(() => withExceptions({ id: 'a', reason: 'r' })).toThrow(/at least one/);
    expect(() => withExceptions({ id: 'a', reason: 'r', rule: 'instruction' })).toThrow(/no rule matches/);
    expect(() => withExceptions({ id: 'a', reason: 'r', hostname: '*', expires: 'tomorrow' })).toThrow(/RFC 3339/);
  });

  test('a disabled rule stays silent', () => {
    const settings = detectionSettingsSchema.parse({ rules: { 'instruction-pointer-probe': { enabled: false } } });
    expect(
      analyzeEvents(
        times(50, (i) => probe(i)),
        settings,
      ),
    ).toEqual([]);
  });

  test('thresholds and windows are configurable', () => {
    const settings = detectionSettingsSchema.parse({
      rules: { 'instruction-pointer-probe': { window: 5, maxStep: 32 } },
    });
    const wide = times(5, (i) => at(i, trap(TEXT + 32 * i)));
    expect(analyzeEvents(wide, settings)).toHaveLength(1);
    expect(
      analyzeEvents(
        times(5, (i) => at(10 * i, trap(TEXT + 4 * i))),
        settings,
      ),
    ).toEqual([]);
  });
});
