import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { type Fault, findSearch } from '#analytics/detections/evidence/search-pattern.ts';
import { HALF_LIFE_SECONDS, RISK_POINTS, type RiskDetection, scoreOf } from '#analytics/detections/risk/score.ts';
import {
  abort,
  at,
  dump,
  hex,
  jump,
  kernelFault,
  random,
  suppressed,
  times,
  trap,
} from '#analytics/detections/rule-case.ts';
import { RULES, ruleById } from '#analytics/detections/rule-registry.ts';
import { DEFAULT_DETECTION_SETTINGS, settingsOfRule } from '#analytics/detections/settings.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { EventType } from '#schemas/events/event.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

const DAY = 86_400;
const HOURS_6 = 21_600;
/** The places of a 1 MiB text at a distance of 16 bytes, as in procedure linkage tables and at function entries. */
const PLACES = 65_536;
/** 7 unknown bytes with 128 tries each on average. */
const CANARY_TRIES = 900;

const statisticsOf = (id: string) => ruleById(id).statistics;
/** Days that the evasion costs the attacker. */
const daysOf = (id: string): number => statisticsOf(id).evasions.find(({ days }) => days !== null)?.days ?? Number.NaN;
const thresholdsOf = (id: string) =>
  settingsOfRule(DEFAULT_DETECTION_SETTINGS, id) as unknown as Record<string, number>;
const found = (id: string, events: Iterable<AcceptedEvent>) =>
  analyzeEvents(events, DEFAULT_DETECTION_SETTINGS).filter(({ rule }) => rule.id === id);

test.each(RULES.map(({ id, statistics }) => [id, statistics] as const))('%s states what it rests on', (_, one) => {
  expect(one.baseRate.length).toBeGreaterThan(40);
  expect(one.evasions.length).toBeGreaterThan(0);
  expect(one.falseAlarmsPerMonth).toBeGreaterThanOrEqual(0);
  expect(one.falseAlarmsPerMonth + (one.falseAlarmForEach === null ? 0 : 1)).toBeGreaterThan(0);
});

/** Returns the days that an attack of this many tries takes with fewer than `least` tries per window. */
const daysBelow = (tries: number, least: string, window: string, id: string): number => {
  const thresholds = thresholdsOf(id);
  return ((tries / ((thresholds[least] as number) - 1)) * (thresholds[window] as number)) / DAY;
};

test.each([
  ['instruction-pointer-probe', daysBelow(PLACES, 'minAlone', 'window', 'instruction-pointer-probe')],
  ['register-value-probe', (thresholdsOf('register-value-probe').window as number) / DAY],
  ['stack-canary-probe', daysBelow(CANARY_TRIES, 'minSlowAborts', 'slowWindow', 'stack-canary-probe')],
  ['unmapped-jump', daysBelow(256, 'minJumps', 'window', 'unmapped-jump')],
  ['memory-search', daysBelow(256, 'minAddresses', 'window', 'memory-search')],
  ['suppressed-crash-burst', daysBelow(2_400, 'minSuppressed', 'window', 'suppressed-crash-burst')],
  ['fleet-scan', daysBelow(PLACES, 'minPlaces', 'quiet', 'fleet-scan')],
  ['host-risk', (HALF_LIFE_SECONDS * Math.log2(1 / (1 - 30 / (thresholdsOf('host-risk').minScore as number)))) / DAY],
])('the cost of %s follows from its thresholds', (id, days) => {
  const stated = daysOf(id);
  expect(Math.abs(stated - days) / days).toBeLessThan(0.02);
});

/** Returns an access of one instruction. */
const accessOf = (location: number, pid: number) => trap(0x40_1120, { trap: { type: 'Segfault', location }, pid });

test.each([
  [256, 0],
  [32, 36],
])('of 10,000 programs with a broken pointer to one of %d pages, %d look like a memory search', (pages, stated) => {
  const draw = seededRandom(11).next;
  const { minAddresses } = thresholdsOf('memory-search');
  let taken = 0;
  for (let program = 0; program < 10_000; program += 1) {
    const faults: Fault[] = [];
    const drawn = new Set<number>();
    // After three repetitions, 64 faults cannot be a search any more.
    for (let i = 0; i < 64 && i - drawn.size < 3; i += 1) {
      const address = 0xf7c0_0000 + Math.floor(draw() * pages) * 4_096;
      drawn.add(address);
      faults.push({ seconds: i, address, pid: i + 1, count: 1, start: 0 });
      if (findSearch(faults, minAddresses as number) === undefined) continue;
      taken += 1;
      break;
    }
  }
  expect(taken).toBe(stated);
});

describe('does not find the evasion at its cost, and finds it with one try more', () => {
  const windows = times(3, (window) => window * (HOURS_6 + 60));
  const evasions: Readonly<Record<string, (tries: number) => AcceptedEvent[]>> = {
    'instruction-pointer-probe': (tries) =>
      windows.flatMap((start, w) =>
        times(tries, (i) =>
          at(start + i * 60, trap(0x40_1000 + 256 * (w * 100 + i), { pid: 100 + i, vmasize: 0x10_0000 })),
        ),
      ),
    'stack-canary-probe': (tries) =>
      windows.flatMap((start) => times(tries, (i) => at(start + i * 60 + 30 * random(i), abort(100 + i, hex(0x7f00))))),
    'unmapped-jump': (tries) =>
      windows.flatMap((start, w) =>
        times(tries, (i) =>
          at(
            start + i * 60,
            jump(0x1000_0000 + 0x1_2345 * (w * 10 + i), {
              pid: 100 + w * 10 + i,
              sp: 0x7ffc_0000_1000 + (w * 10 + i) * 2 ** 24,
            }),
          ),
        ),
      ),
    'memory-search': (tries) =>
      windows.flatMap((start, w) =>
        times(tries, (i) => at(start + i * 60, accessOf(0xf7c0_0000 + 4_096 * (w * 32 + i), 100 + w * 32 + i))),
      ),
    'suppressed-crash-burst': (tries) => times(10, (i) => at(i * 60, suppressed(tries))),
    'fleet-scan': (tries) =>
      times(3, (day) =>
        times(tries, (i) =>
          at(
            day * DAY + i * 60,
            trap(0x40_1000 + 256 * (day * 100 + i), { pid: 100 + i, vmasize: 0x10_0000 }),
            `web-${i % 5}`,
          ),
        ),
      ).flat(),
  };
  test.each([
    ['instruction-pointer-probe', 'minAlone'],
    ['stack-canary-probe', 'minSlowAborts'],
    ['unmapped-jump', 'minJumps'],
    ['memory-search', 'minAddresses'],
    ['suppressed-crash-burst', 'minSuppressed'],
    ['fleet-scan', 'minPlaces'],
  ])('%s', (id, threshold) => {
    const least = thresholdsOf(id)[threshold] as number;
    expect(found(id, evasions[id]?.(least - 1) ?? [])).toEqual([]);
    expect(found(id, evasions[id]?.(least) ?? [])).not.toEqual([]);
  });

  test.each(['instruction-pointer-probe', 'fleet-scan'])('%s, with each place tried twice', (id) => {
    const scan = (tries: number) =>
      times(120, (i) =>
        at(
          i * 60,
          trap(0x40_1000 + 256 * Math.floor(i / tries), { pid: 100 + i, vmasize: 0x10_0000 }),
          id === 'fleet-scan' ? `web-${i % 5}` : 'web-1',
        ),
      );
    expect(found(id, scan(2))).toEqual([]);
    expect(found(id, scan(1))).not.toEqual([]);
  });

  test('memory-search, by addresses tried twice or drawn at random', () => {
    const search = (address: (i: number) => number) =>
      times(60, (i) => at(i * 60, accessOf(0x7f10_0000_0000 + 4_096 * address(i), 100 + i)));
    expect(
      found(
        'memory-search',
        search((i) => Math.floor(i / 2)),
      ),
    ).toEqual([]);
    expect(
      found(
        'memory-search',
        search((i) => Math.floor(random(i) * 2 ** 20)),
      ),
    ).toEqual([]);
    expect(
      found(
        'memory-search',
        search((i) => i),
      ),
    ).not.toEqual([]);
  });

  test('unmapped-jump, by guesses that differ by whole pages', () => {
    const guesses = (step: number) =>
      times(60, (i) => at(i * 60, jump(0x1000_0678 + step * i, { pid: 100 + i, sp: 0x7ffc_0000_1000 + i * 2 ** 24 })));
    expect(found('unmapped-jump', guesses(4096))).toEqual([]);
    expect(found('unmapped-jump', guesses(4097))).not.toEqual([]);
  });

  test('register-value-probe', () => {
    const value = (t: number, byte: number) =>
      at(t, dump({ PID: String(100 + byte), RIP: '0033:0x401100', RDI: hex(0x1000_0000 + byte), RSI: hex(7) }));
    const twoPasses = (pause: number) =>
      times(256, (i) => (i < 128 ? value(i, 2 * i) : value(pause + i, 2 * (i - 128) + 1)));
    expect(found('register-value-probe', twoPasses(HOURS_6 + 256))).toEqual([]);
    expect(found('register-value-probe', twoPasses(0))).not.toEqual([]);
  });
});

/** Signs of one rule or program, each from a detection that lasts a moment. */
const signs = (sign: string, points: number, instants: readonly number[]): RiskDetection[] =>
  instants.map((t) => ({ sign, points, first: t, last: t }));

test('signs of medium severity stay below the alert of a host at the stated pace, and reach it faster than that', () => {
  const { minScore } = thresholdsOf('host-risk');
  const paced = (days: number) => {
    const pause = Math.ceil(days * DAY);
    return scoreOf(times(20, (i) => signs(`sign ${i}`, RISK_POINTS.medium, [i * pause])).flat(), 19 * pause);
  };
  const days = daysOf('host-risk');
  expect(paced(days)).toBeLessThan(minScore as number);
  expect(paced(days * 0.95)).toBeGreaterThan(minScore as number);
});

test('independent signs of an ordinary host raise the alert of a host as often as its base rate states', () => {
  const { minScore } = thresholdsOf('host-risk');
  const months = 100_000;
  const draw = seededRandom(7).next;
  const instants = (perMonth: number) =>
    times(Math.round(months * perMonth), () => Math.floor(draw() * months * 30 * DAY));
  const all = [
    ...times(3, (i) => signs(`rule ${i}`, RISK_POINTS.medium, instants(0.1))).flat(),
    ...times(6, (i) =>
      signs(`program ${i}`, RISK_POINTS.low, instants(statisticsOf('sensitive-program-crash').falseAlarmsPerMonth / 6)),
    ).flat(),
  ].sort((a, b) => a.first - b.first);
  const alarmed = new Set<number>();
  let from = 0;
  for (const { first } of all) {
    while ((all[from] as RiskDetection).last < first - 10 * HALF_LIFE_SECONDS) from += 1;
    const recent = all.slice(from, from + 50).filter((one) => one.first <= first);
    if (scoreOf(recent, first) >= (minScore as number)) alarmed.add(Math.floor(first / (30 * DAY)));
  }
  const rate = alarmed.size / months;
  const { falseAlarmsPerMonth } = statisticsOf('host-risk');
  expect(rate).toBeGreaterThan(falseAlarmsPerMonth * 0.7);
  expect(rate).toBeLessThan(falseAlarmsPerMonth * 1.5);
});

test('of the kernel faults of an ordinary host, as many are alerts as the base rate says', () => {
  const parts: readonly (readonly [faults: number, event: () => EventType])[] = [
    [60, () => kernelFault()],
    [30, () => kernelFault({ procname: 'kworker/1:0', kernel_fault: { context: 'kernel thread' } })],
    ...[{ taint: 'POE' }, { taint: '' }].map(
      (facts, i) =>
        [
          5 - i,
          () => kernelFault({ trap: { type: 'Generic', description: 'refcount_t: underflow' }, kernel_fault: facts }),
        ] as const,
    ),
    [
      1,
      () =>
        kernelFault({
          trap: { type: 'Generic', description: 'list_del corruption. prev->next should be' },
          process: { uid: 0 },
        }),
    ],
  ];
  const pause = 2 * 365 * DAY;
  const faults = parts.flatMap(([count, event]) => times(count, () => event()));
  const detections = found(
    'kernel-fault',
    faults.map((event, i) => at(i * pause, event)),
  );
  expect(faults).toHaveLength(100);
  expect(detections).toHaveLength(100);
  expect(detections.filter(({ severity }) => severity === 'medium')).toHaveLength(4);
  expect(detections.filter(({ severity }) => severity === 'high' || severity === 'critical')).toEqual([]);
  expect(statisticsOf('kernel-fault').falseAlarmsPerMonth).toBeCloseTo((30 * DAY) / pause, 3);
});

test('programs of the list crash as often as the base rate of their rule states', () => {
  const programs = 6;
  const crashesAMonth = 1 / (5 * 12);
  expect(statisticsOf('sensitive-program-crash').falseAlarmsPerMonth).toBeCloseTo(programs * crashesAMonth, 3);
});
