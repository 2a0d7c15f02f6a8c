import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { at, random, times, trap } from '#analytics/detections/rule-case.ts';
import { rule } from '#analytics/detections/rules/fleet-scan.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

const HOSTS = 20;
const TEXT = 0xf_0000;

/** A crash of the fleet's binary, which is mapped at another address on each host. */
function crash(i: number, offset: number, host = i % HOSTS): AcceptedEvent {
  const vmastart = 0x5600_0000_0000 + host * 0x1000_0000;
  return at(60 * i, trap(vmastart + offset, { pid: 900 + i, vmastart, vmasize: 0x10_0000 }), `web-${host}`);
}

const campaigns = (events: readonly AcceptedEvent[]) =>
  analyzeEvents(events, DEFAULT_DETECTION_SETTINGS).filter(({ rule }) => rule.id === 'fleet-scan');

/** Two or three probes per host, at random places. */
function scan(seed: number): AcceptedEvent[] {
  const probes = times(HOSTS, (host) => times(random(seed * 31 + host) < 0.5 ? 2 : 3, () => host)).flat();
  return probes.map((host, i) => crash(i, Math.floor(random(seed * 1_009 + i) * TEXT), host));
}

/** Crashes of a binary with this many faults: equally frequent if `skew` is 0, distributed by Zipf's law if it is 1. */
function ordinary(seed: number, faults: number, skew: number, count: number): AcceptedEvent[] {
  const weights = times(faults, (i) => 1 / (i + 1) ** skew);
  const sum = weights.reduce((a, b) => a + b);
  return times(count, (i) => {
    let left = random(seed * 100_003 + i) * sum;
    const fault = weights.findIndex((weight) => {
      left -= weight;
      return left <= 0;
    });
    return crash(i, 0x1000 * Math.max(fault, 0), Math.floor(random(seed * 7_919 + i) * HOSTS));
  });
}

const falseAlarms = (faults: number, skew: number): number =>
  times(60, (seed) => campaigns(ordinary(seed, faults, skew, 200)).length).filter((found) => found > 0).length;

test('finds every fleet scanned with two or three probes per host, as one campaign', () => {
  for (let seed = 0; seed < 40; seed += 1) {
    const found = campaigns(scan(seed));
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ hostname: null, procname: 'edge-gw', severity: 'high' });
  }
});

test('ordinary faults of a fleet are campaigns only at the stated base rate', () => {
  expect(falseAlarms(6, 0)).toBe(0);
  expect(falseAlarms(15, 0)).toBe(rule.statistics.falseAlarmsPerMonth);
  expect(falseAlarms(20, 1)).toBeLessThanOrEqual(2);
});

test('a bad release that crashes everywhere at one offset is not a campaign', () => {
  expect(campaigns(times(400, (i) => crash(i, 0x1100)))).toEqual([]);
});

test('a library copy that fails at neighbouring instructions is not a campaign', () => {
  const copies = times(12, (i) =>
    at(
      60 * i,
      trap(0x7f00_0000_2000 + i * 8, {
        pid: 900 + i,
        file: 'libc.so.6',
        vmastart: 0x7f00_0000_0000,
        vmasize: 0x10_0000,
      }),
      `web-${i}`,
    ),
  );
  expect(campaigns(copies)).toEqual([]);
});

test('order and repeats of the events change nothing', () => {
  const events = [...scan(1), ...ordinary(1, 3, 0, 60)];
  const found = campaigns(events);
  expect(found).toHaveLength(1);
  const shuffled = events
    .map((event, i) => ({ event, place: random(i + 5) }))
    .sort((a, b) => a.place - b.place)
    .map(({ event }) => event);
  expect(campaigns([...shuffled, ...events])).toEqual(found);
});

test('later crashes that dilute a campaign do not withdraw it', () => {
  const events = scan(2);
  const noise = times(300, (i) => crash(events.length + i, 0x1000 * (i % 40), Math.floor(i / 40) % HOSTS));
  const [before] = campaigns(events);
  const [after, ...others] = campaigns([...events, ...noise]);
  expect(others).toEqual([]);
  expect(after?.id).toBe(before?.id);
  expect(after?.revision).toBeGreaterThanOrEqual(before?.revision ?? 0);
});

describe('the build id', () => {
  const BUILDS = ['aaaaaaaa01', 'bbbbbbbb02', 'cccccccc03', 'dddddddd04'];
  /** The crash as reported by a detector that could read the file. */
  function built(event: AcceptedEvent, build: string | undefined): AcceptedEvent {
    if (build === undefined) return event;
    const { event: body, ...rest } = event.event;
    return { ...event, event: { ...rest, event: { ...body, file_build_id: build } as typeof body } };
  }

  test('a bad release in builds of one size crashes at other places in each, and is not a campaign', () => {
    const release = (build: (i: number) => string | undefined) =>
      times(32, (i) => built(crash(i, 0x1000 + 0x333 * (i % 32)), build(i)));
    expect(campaigns(release(() => undefined))).toHaveLength(1);
    expect(campaigns(release((i) => BUILDS[i % 4]))).toEqual([]);
  });

  test('a scan of one build is found and named, also if only some detectors report the build', () => {
    const whole = campaigns(scan(3).map((event) => built(event, BUILDS[0])));
    expect(whole).toMatchObject([{ hostsTotal: HOSTS }]);
    expect(whole[0]?.message).toContain('(build aaaaaaaa01)');
    const some = campaigns(scan(3).map((event, i) => built(event, i % 3 === 0 ? BUILDS[0] : undefined)));
    const facts = ({ id, crashes, valuesTotal, hosts }: (typeof whole)[number]) => ({
      id,
      crashes,
      valuesTotal,
      hosts,
    });
    expect(some.map(facts)).toEqual(whole.map(facts));
  });

  test('ignores text that is not a build id, and counts builds beyond the limit together', () => {
    const odd = campaigns(scan(4).map((event) => built(event, '../etc')));
    expect(odd).toEqual(campaigns(scan(4)));
    const many = campaigns(scan(5).map((event, i) => built(event, `abcdef${String(i).padStart(4, '0')}`)));
    expect(many).toHaveLength(1);
  });
});

test('a campaign lists its hosts, also those that its message omits', () => {
  const events = times(300, (i) => crash(i, 0x100 * i, i));
  const [found] = campaigns(events);
  expect(found).toMatchObject({ hostname: null, hostsTotal: found?.crashes });
  expect(found?.hosts).toHaveLength(Math.min(256, found?.hostsTotal ?? 0));
  expect(found?.hosts).toContain('web-0');
  expect(found?.message).toContain(` and ${(found?.hostsTotal ?? 0) - 5} more`);
});
