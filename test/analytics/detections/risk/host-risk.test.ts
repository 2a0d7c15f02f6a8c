import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { describeRisk } from '#analytics/detections/risk/score.ts';
import { at, random, times, trap } from '#analytics/detections/rule-case.ts';
import { cases } from '#analytics/detections/rules/host-risk.cases.ts';
import { DEFAULT_DETECTION_SETTINGS, detectionSettingsSchema } from '#analytics/detections/settings.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

const DAY = 86_400;
const story = (name: string) => cases.find((one) => one.name.startsWith(name))?.events ?? [];
const PROBED = story('a service that is probed');
const alerts = (found: readonly Detection[]) => found.filter(({ rule }) => rule.id === 'host-risk');
const analyze = (events: Iterable<AcceptedEvent>, settings = DEFAULT_DETECTION_SETTINGS) =>
  alerts(analyzeEvents(events, settings));

/**
 * Returns every revision that a tracker reports if it is drained after this many events and restored from its snapshot
 * each time.
 */
function inBatches(events: readonly AcceptedEvent[], size: number): Detection[] {
  const found = new Map<string, Detection>();
  let tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
  for (let from = 0; from < events.length; from += size) {
    for (const event of events.slice(from, from + size)) tracker.feed(event);
    const restored = createTracker(DEFAULT_DETECTION_SETTINGS);
    restored.restore(tracker.snapshot());
    tracker = restored;
    for (const detection of tracker.drain().changed) found.set(detection.id, detection);
  }
  return [...found.values()];
}

test('the alert names its signs and their score', () => {
  const [alert, ...others] = analyze(PROBED);
  const signs = analyzeEvents(PROBED, DEFAULT_DETECTION_SETTINGS).filter(({ rule }) => rule.id !== 'host-risk');
  expect(others).toEqual([]);
  expect(alert).toMatchObject({ hostname: 'edge-1', severity: 'high', procname: null, evidenceCount: 2 });
  expect(new Set(alert?.values)).toEqual(new Set(signs.map(({ id }) => id)));
  expect(alert?.risk).toEqual(describeRisk(alert?.risk?.score ?? 0));
  expect(alert?.message).toContain(`a risk score of ${alert?.risk?.score} `);
  for (const sign of signs) expect(sign.risk).toBeNull();
  expect(alert?.message).toMatch(
    /^The signs on edge-1 add up to a risk score of 59\.\d+ \(5\d[.\d]* of 100\): unmapped-jump of edge-gw, sensitive-program-crash of sudo\.$/,
  );
});

test('the alert is the same for any batches, after each restart, and after a replay', () => {
  const events = story('more signs');
  const whole = analyzeEvents(events, DEFAULT_DETECTION_SETTINGS);
  for (const size of [1, 3, 7, events.length]) expect(inBatches(events, size)).toEqual(whole);
  const twice = analyzeEvents([...events, ...events], DEFAULT_DETECTION_SETTINGS);
  expect(alerts(twice).map(({ id }) => id)).toEqual(alerts(whole).map(({ id }) => id));
});

test('the alert is one with the same id, for any order of signs and other hosts', () => {
  const [sudo, jumps] = [PROBED.slice(-3), PROBED.slice(0, -3)];
  const elsewhere = times(20, (i) => at(600 * i, trap(0x40_1100, { pid: i }), `other-${i % 3}`));
  const [first] = analyze(PROBED);
  fc.assert(
    fc.property(fc.boolean(), fc.integer({ min: 0, max: 20 }), (turned, cut) => {
      const own = turned ? [...sudo, ...jumps] : [...jumps, ...sudo];
      const found = analyze([...elsewhere.slice(cut), ...own, ...elsewhere.slice(0, cut)]);
      expect(found).toMatchObject([
        { id: first?.id, evidenceCount: 2, values: expect.arrayContaining(first?.values ?? []) },
      ]);
    }),
    { numRuns: 20 },
  );
});

test('one forged event of another century neither opens an alert nor prevents one', () => {
  const forged = at(6e9, trap(0x40_1100, { procname: 'sshd', file: 'sshd', pid: 1 }));
  expect(analyze([forged, ...PROBED])).toEqual(analyze(PROBED));
});

test('further signs after a quiet time are another alert', () => {
  const again = PROBED.map(({ event, time }) => at(time.seconds - 1_770_000_000 + 8 * DAY, event.event));
  const found = analyze([...PROBED, ...again]);
  expect(found).toHaveLength(2);
  expect(new Set(found.map(({ id }) => id)).size).toBe(2);
});

test('ignores detections that an exception covers', () => {
  const except = (exception: object) =>
    detectionSettingsSchema.parse({ exceptions: [{ id: 'known', reason: 'tests', ...exception }] });
  expect(analyze(PROBED, except({ program: 'sudo' }))).toEqual([]);
  expect(analyze(PROBED, except({ program: 'other' }))).toEqual(analyze(PROBED));
  expect(analyze(PROBED, except({ rule: 'host-risk' }))).toMatchObject([{ exception: 'known' }]);
});

test('a flood of signs on one host stays bounded', () => {
  const tracker = createTracker(DEFAULT_DETECTION_SETTINGS);
  const programs = String(DEFAULT_DETECTION_SETTINGS.rules['sensitive-program-crash']?.programs).split(', ');
  for (let i = 0; i < 4_000; i += 1) {
    const procname = programs[i % programs.length] as string;
    tracker.feed(at(i * 2 * DAY * random(i), trap(0x40_1100, { procname, file: procname, pid: i })));
    tracker.drain();
  }
  expect(tracker.snapshot().join('').length).toBeLessThan(200_000);
});
