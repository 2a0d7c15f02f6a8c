import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { abort, at, dump, hex, jump, suppressed, times, trap } from '#analytics/detections/rule-case.ts';
import { RULES, ruleById } from '#analytics/detections/rule-registry.ts';
import { DEFAULT_DETECTION_SETTINGS, detectionSettingsSchema } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { EventType } from '#schemas/events/event.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { abortOf, drawImage, fault, logCrashes } from './variants/machine.ts';
import { shuffled } from './variants/variant.ts';

// Each case is named after an evasion, or after a fault that was mistaken for an attack. `variants/` generates more of
// each.

const analyze = (events: Iterable<AcceptedEvent>, settings = DEFAULT_DETECTION_SETTINGS) =>
  analyzeEvents(events, settings);
const rulesOf = (events: Iterable<AcceptedEvent>) => analyze(events).map(({ rule }) => rule.id);
const severities = (events: Iterable<AcceptedEvent>) => analyze(events).map(({ severity }) => severity);

/** A fork server and the behaviour of its children. */
const random = seededRandom(1);
const server = drawImage(random, 'mailgw');
const child = (i: number, pause: number) => ({
  time: i * pause,
  host: 'edge-1',
  comm: 'mailgw',
  pid: 1_000 + i,
  image: server,
});
const scan = (stride: number, pause: number) =>
  shuffled(
    random,
    times(900, (i) => i),
  ).map((place, i) => fault(child(i, pause), random, 0x1000 + place * stride));

describe('spread scan: many distinct places of one program, in any order', () => {
  test.each(['dumps', 'stock'] as const)('%s', (logging) => {
    for (const stride of [80, 300, 1_000])
      expect(rulesOf(logCrashes(scan(stride, 0.5), logging))).toEqual(['instruction-pointer-probe']);
  });
});

describe('jumps to unmapped or tiny addresses', () => {
  test('have a separate rule if each execution has another layout', () => {
    const guesses = times(20, (i) =>
      at(i, jump(0xf7d4_18e1, { pid: 500 + i, sp: 0xff80_0000 + ((i * 37) % 211) * 4_096 })),
    );
    expect(rulesOf(guesses)).toEqual(['unmapped-jump']);
  });

  test('do not count tiny absolute addresses as steps', () => {
    const calls = times(40, (i) => at(i, jump([0, 3, 4][i % 3] as number, { pid: 500 + i })));
    expect(rulesOf(calls)).toEqual([]);
  });
});

describe('canary guessing', () => {
  const guesses = (pause: number, nameOf: (i: number) => string = () => 'mailgw', count = 900) =>
    times(count, (i) =>
      abortOf({ ...child(i, pause * (0.7 + 0.6 * random.next())), comm: nameOf(i), time: i * pause }, random),
    );
  const names: Readonly<Record<string, (i: number) => string>> = {
    'slower than two a second': () => 'mailgw',
    'another process name each child': (i) => `w${i}`,
    'names in turn': (i) => `worker-${i % 8}`,
  };

  test.each(Object.entries(names))('%s', (_, nameOf) => {
    for (const logging of ['dumps', 'traced'] as const)
      expect(rulesOf(logCrashes(guesses(0.77, nameOf), logging))).toEqual(['stack-canary-probe']);
  });

  test('with as few as 120 attempts in 6 hours', () => {
    const slow = times(130, (i) => abortOf({ ...child(i, 0), time: i * 170 + 60 * random.next() }, random));
    expect(rulesOf(logCrashes(slow, 'dumps'))).toEqual(['stack-canary-probe']);
  });

  test('diluted by one decoy abort in four', () => {
    const decoys = times(300, (i) => abortOf({ ...child(i * 4, 0.6), image: drawImage(random, 'mailgw') }, random));
    expect(rulesOf(logCrashes([...guesses(0.6), ...decoys], 'dumps'))).toEqual(['stack-canary-probe']);
  });

  test.each(['dumps', 'stock'] as const)('musl ends a failed check with `hlt` (%s)', (logging) => {
    const checks = times(900, (i) =>
      fault({ ...child(i, 0.5), comm: `w${i % 5}` }, random, 0x1_2345, {
        file: 'ld-musl-x86_64.so.1',
        kind: 'protection',
      }),
    );
    expect(rulesOf(logCrashes(checks, logging))).toEqual(['stack-canary-probe']);
  });
});

describe('counts one crash once everywhere', () => {
  // Lists of hosts and processes are tested in test/api/detections/routes/activity.test.ts.
  test('a trap line and a dump change neither the count nor the severity', () => {
    // One crash lies at the edge of a page by chance. It counts as a crash, but not as evidence.
    const probes = times(20, (i) =>
      fault(child(i, 2), random, 0x1000 + 8 * i, { location: 0x7e00_0000_0000 + (i === 7 ? 8 : 800) }),
    );
    const facts = (logging: 'stock' | 'dumps' | 'traced') =>
      analyze(logCrashes(probes, logging)).map(({ rule, crashes, severity, valuesTotal }) => [
        rule.id,
        crashes,
        severity,
        valuesTotal,
      ]);
    expect(facts('dumps')).toEqual(facts('stock'));
    expect(facts('traced')).toEqual(facts('stock'));
    expect(facts('stock')).toEqual([['instruction-pointer-probe', 20, 'high', 19]]);
  });

  test('a report of grsecurity and the dump of the same signal count once', () => {
    const lines = times(50, (i) => [
      `[${10 + i}.100000] grsec: Abort occurred at 000003e8 in /usr/bin/x[x:${100 + i}] uid/euid:33/33 gid/egid:33/33`,
      `[${10 + i}.100100] x: x: potentially unexpected fatal signal 6.`,
      `[${10 + i}.100101] CPU: 0 PID: ${100 + i} Comm: x Not tainted 6.1.0`,
      `[${10 + i}.100102] RIP: 0033:0x7fd70f4f1eec`,
    ]).flat();
    expect(detectEventsFromText(lines.join('\n'), { hostname: 'edge-1' })).toHaveLength(50);
  });
});

describe('harmless crashes give no detection, or a low one', () => {
  // Recursion, copies, fuzzers, restarting workers, bad releases and forked assertions are in `variants/benign.ts`.
  test('and are named in the runbook', () => {
    const named = RULES.flatMap(({ runbook }) => runbook.falsePositives).join(' ');
    for (const cause of ['fuzz', 'assertion', 'bad release', 'supervisor', 'Failing memory'])
      expect(named).toContain(cause);
  });
});

describe('severity', () => {
  test('becomes low for a crash loop between three places', () => {
    const loop = (crashes: number) =>
      times(crashes, (i) => at(i * 10, trap(0x40_1100 + 8 * (i % 3), { pid: 100 + i })));
    expect(severities(loop(6))).toEqual(['medium']);
    expect(severities(loop(40))).toEqual(['low']);
  });

  test('is never critical because of suppressed counts of the whole host', () => {
    const host = [...times(4, (i) => at(i, trap(0x40_1100 + 4 * i))), at(5, suppressed(2 ** 31))];
    expect(severities(host)).toEqual(['medium']);
    expect(severities([at(0, suppressed(2 ** 31))])).toEqual(['high']);
  });

  test.each([
    [3, 'medium'],
    [5, 'medium'],
    [6, 'high'],
    [63, 'high'],
    [64, 'critical'],
  ])('increases: %d addresses are %s', (count, severity) => {
    expect(severities(times(count, (i) => at(i * 10, trap(0x40_1100 + 4 * i, { pid: 100 + i }))))).toEqual([severity]);
  });

  /** Crashes spread over a text of 1 MiB that `base` says is mapped. */
  const scattered = (base: (i: number) => number) =>
    times(60, (i) => {
      const vmastart = base(i);
      return at(i * 60, trap(vmastart + 16_411 * i, { pid: 100 + i, vmastart, vmasize: 0x10_0000 }));
    });

  test('of places all over a text is high in one memory layout, and medium if each crash has its own', () => {
    expect(severities(scattered(() => 0x5555_0000_0000))).toEqual(['high']);
    // Three parents, as in three containers of one image.
    expect(severities(scattered((i) => 0x5555_0000_0000 + (i % 3) * 0x1_0000_0000))).toEqual(['high']);
    const damaged = analyze(scattered((i) => 0x5555_0000_0000 + i * 0x1000_0000));
    expect(damaged).toMatchObject([{ severity: 'medium', message: expect.stringContaining('damaged file or memory') }]);
  });

  test('of jumps to many places is high, and medium if they return to a few', () => {
    const jumps = (target: (i: number) => number) =>
      times(60, (i) => at(i * 60, jump(target(i), { pid: 100 + i, sp: 0x7ffc_0000_1000 + i * 2 ** 24 })));
    expect(severities(jumps((i) => 0x5555_0000_0000 + i * 0x1_2345))).toEqual(['high']);
    expect(severities(jumps((i) => 0x5555_0000_0000 + i * 0x10_0000 + (i % 5) * 0x123))).toEqual(['medium']);
  });

  test('of aborts of forked children is high at the pace of one attacker, and medium at that of many clients', () => {
    const { next } = seededRandom(5);
    const aborts = (gap: () => number) => {
      let t = 0;
      return times(300, (i) => {
        t += gap();
        return at(t, abort(5_000 + i, hex(0x7fd7_0f46_4740)));
      });
    };
    expect(severities(aborts(() => 3 + next()))).toEqual(['high']);
    const clients = analyze(aborts(() => -4 * Math.log(1 - next())));
    expect(clients).toMatchObject([{ severity: 'medium', message: expect.stringContaining('many clients') }]);
  });

  test('is configurable', () => {
    const settings = detectionSettingsSchema.parse({ rules: { 'instruction-pointer-probe': { severity: 'info' } } });
    const found = analyze(
      times(64, (i) => at(i, trap(0x40_1100 + 4 * i))),
      settings,
    );
    expect(found.map(({ severity }) => severity)).toEqual(['info']);
  });
});

describe('a scan of one binary on 20 hosts behind a load balancer', () => {
  const images = times(20, () => drawImage(random, 'edge-gw'));
  const crash = (i: number, offset: number) =>
    fault(
      { time: 60 * i, host: `web-${i % 20}`, comm: 'edge-gw', pid: 900 + i, image: images[i % 20] ?? server },
      random,
      offset,
    );
  test('is one campaign with two probes per host', () => {
    const probes = times(40, (i) => crash(i, random.between(0, 0xf_0000)));
    expect(analyze(logCrashes(probes, 'stock'))).toMatchObject([
      { rule: { id: 'fleet-scan' }, hostname: null, hostsTotal: 20 },
    ]);
  });

  test('is no campaign for a bad release that crashes in a loop', () => {
    expect(
      rulesOf(
        logCrashes(
          times(400, (i) => crash(i, 0x1100)),
          'stock',
        ),
      ),
    ).toEqual([]);
  });
});

describe('a sensitive program', () => {
  const crashes = (count: number) =>
    times(count, (i) => at(i * 3_600, trap(0x40_1100, { procname: 'polkitd', file: 'polkitd', pid: 70 + i })));
  test('is low for one crash, and medium for three', () => {
    expect(severities(crashes(1))).toEqual(['low']);
    expect(severities(crashes(3))).toEqual(['medium']);
  });

  test('is configurable', () => {
    const settings = detectionSettingsSchema.parse({ rules: { 'sensitive-program-crash': { programs: 'edge-gw' } } });
    expect(analyze(crashes(3), settings)).toEqual([]);
    expect(analyze([at(0, trap(0x40_1100))], settings)).toHaveLength(1);
  });
});

test('each rule states base rate, false alarms and costs, and a page lists known evasions', () => {
  const page = readFileSync('docs/concepts/evasions.md', 'utf8');
  for (const id of ['instruction-pointer-probe', 'stack-canary-probe', 'fleet-scan']) expect(page).toContain(id);
  for (const { statistics } of RULES) {
    expect(statistics.baseRate).not.toBe('');
    expect(statistics.evasions.length).toBeGreaterThan(0);
  }
});

describe('risk of a host', () => {
  const signs = [
    ...times(6, (i) =>
      at(60 * i, jump(0x5555_0000_0000 + i * 0x1_2345, { pid: 500 + i, sp: 0x7ffc_0000_0000 + i * 2 ** 24 })),
    ),
    ...times(3, (i) => at(600 * i, trap(0x40_1100, { procname: 'sudo', file: 'sudo', pid: 700 + i }))),
  ];
  test('several weak signs are one alert, the same in a replay', () => {
    const alerts = (events: readonly AcceptedEvent[]) => analyze(events).filter(({ rule }) => rule.id === 'host-risk');
    expect(alerts(signs)).toHaveLength(1);
    expect(alerts([...signs, ...signs])).toEqual(alerts(signs));
    expect(alerts(signs)[0]?.risk).not.toBeNull();
  });
});

/** The same crash reported by a source other than the kernel, without registers. */
function reported(of: ReturnType<typeof child>, signal: 'SIGIOT' | 'SIGSEGV', witness: string): AcceptedEvent {
  return at(of.time, { ...dump({ Comm: of.comm, PID: String(of.pid) }, signal), witness } as EventType, of.host);
}

function later(line: AcceptedEvent, seconds: number): AcceptedEvent {
  return { ...line, time: { ...line.time, seconds: line.time.seconds + Math.ceil(seconds) } };
}

/** Reports of the process that belong to its dump; a trap line has none. */
function ofCrash({ event: { event } }: AcceptedEvent, reports: readonly AcceptedEvent[]): AcceptedEvent[] {
  const pidOf = (body: EventType) => (body.type === 'LinuxFatalSignal' ? body.stack_dump.PID : undefined);
  return reports.filter((report) => pidOf(event) !== undefined && pidOf(report.event.event) === pidOf(event));
}

describe('witnesses', () => {
  const guesses = (witness?: 'stack-smashing' | 'assertion') =>
    logCrashes(
      times(60, (i) => abortOf(child(i, 0.3), random, witness)),
      'dumps',
    );
  test('a canary probe with its witness is critical, a failed assertion of forked workers is not', () => {
    expect(severities(guesses('stack-smashing'))).toEqual(['critical']);
    expect(severities(guesses('assertion'))).toEqual(['low']);
    expect(severities(guesses())).toEqual(['high']);
  });

  /** Two detectors on one host (journal and kernel log) whose events arrive one after the other, in the given order. */
  const journal = times(60, (i) => reported(child(i, 0.3), 'SIGIOT', 'stack-smashing'));
  const kernel = logCrashes(
    times(60, (i) => abortOf(child(i, 0.3), random)),
    'dumps',
  );
  test.each([
    ['line by line', journal.flatMap((line, i) => [line, kernel[i] as AcceptedEvent])],
    ['the journal first', [...journal, ...kernel]],
    ['the kernel log first', [...kernel, ...journal]],
    ['the journal alone', journal],
    ['the kernel log alone', kernel],
  ])('an abort and its witness count once: %s', (_, events) => {
    expect(analyze(events)).toMatchObject([{ rule: { id: 'stack-canary-probe' }, crashes: 60, evidenceCount: 60 }]);
  });

  test('an abort and its witness count once, also across a restart', () => {
    let tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
    for (const line of journal) tracker.feed(line);
    const chunks = tracker.snapshot();
    tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
    tracker.restore(chunks);
    for (const line of kernel) tracker.feed(line);
    expect(tracker.drain().changed).toMatchObject([{ crashes: 60, evidenceCount: 60 }]);
  });

  const scanned = times(40, (i) => fault(child(i, 0.3), random, 0x1000 + i * 16));
  const cores = times(40, (i) => reported(child(i, 0.3), 'SIGSEGV', 'core-dump'));
  test.each([
    ['after the dump', logCrashes(scanned, 'dumps').flatMap((line) => [line, ...ofCrash(line, cores)])],
    ['before the dump', [...cores, ...logCrashes(scanned, 'dumps')]],
    ['twice, by audit too', [...logCrashes(scanned, 'dumps'), ...cores, ...cores.map((line) => later(line, 0.5))]],
  ])('a fault and its core dump report count once: %s', (_, events) => {
    expect(analyze(events)).toMatchObject([{ rule: { id: 'instruction-pointer-probe' }, crashes: 40 }]);
  });

  test('reports of another process, or more than two seconds later, are separate crashes', () => {
    const lines = logCrashes(scanned, 'dumps');
    const of = (more: readonly AcceptedEvent[]) => analyze([...lines, ...more])[0]?.crashes;
    expect(of([reported({ ...child(39, 0.3), pid: 9_999 }, 'SIGSEGV', 'core-dump')])).toBe(41);
    expect(of([reported({ ...child(39, 0.3), time: 39 * 0.3 + 4 }, 'SIGSEGV', 'core-dump')])).toBe(41);
  });
});

test('a register with process ids is not evidence', () => {
  const prefork = times(60, (i) => at(i * 30, abort(4_000 + i, hex(0x7f00_0000_0000 + i * 4_096))));
  expect(rulesOf(prefork)).toEqual([]);
  const values = times(12, (i) =>
    at(i, dump({ PID: String(100 + i), RIP: '0033:0x401179', RDI: hex(0x7fff_0000 + i) })),
  );
  expect(rulesOf(values)).toEqual(['register-value-probe']);
  expect(ruleById('register-value-probe').registers).toContain('RDI');
});
