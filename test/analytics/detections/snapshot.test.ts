import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, trap } from '#analytics/detections/rule-case.ts';
import { type DetectionSettings, detectionSettingsSchema } from '#analytics/detections/settings.ts';
import { SnapshotVersionError } from '#analytics/detections/snapshot.ts';
import { createTracker } from '#analytics/detections/tracker.ts';
import type { Tracker } from '#analytics/detections/tracker-port.ts';
import type { Detection } from '#schemas/detection.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { randomEvents } from '#test/support/random-events.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

/** Bounds so small that everything evictable is evicted. */
const TIGHT = detectionSettingsSchema.parse({ limits: { maxPrograms: 9, maxProgramsPerHost: 4, maxPoints: 300 } });
const SHIPPED = detectionSettingsSchema.parse({});
const WITH_EVENTS = detectionSettingsSchema.parse({ justification: 'full' });

interface Collected {
  readonly latest: Map<string, Detection>;
  readonly announced: string[];
}

function collect(tracker: Tracker, into: Collected): void {
  const { changed, announced } = tracker.drain();
  for (const detection of changed) into.latest.set(detection.id, detection);
  into.announced.push(...announced.map(stringifyExact));
}

function undisturbed(events: readonly AcceptedEvent[], settings: DetectionSettings) {
  const result: Collected = { latest: new Map(), announced: [] };
  const tracker = createTracker(settings);
  for (const event of events) tracker.feed(event);
  collect(tracker, result);
  return { ...result, stats: tracker.stats() };
}

/** Drains and restores from snapshots at random points, and also takes snapshots while output is not drained. */
function disturbed(events: readonly AcceptedEvent[], settings: DetectionSettings, seed: number) {
  const random = seededRandom(seed).next;
  const result: Collected = { latest: new Map(), announced: [] };
  let tracker = createTracker(settings);
  for (const event of events) {
    tracker.feed(event);
    const dice = random();
    if (dice < 0.02) {
      const chunks = tracker.snapshot();
      tracker = createTracker(settings);
      tracker.restore(chunks);
      expect(tracker.snapshot()).toEqual(chunks);
    } else if (dice < 0.1) collect(tracker, result);
  }
  collect(tracker, result);
  return { ...result, stats: tracker.stats() };
}

describe('a tracker restored from a snapshot', () => {
  test.each([
    ['with room', SHIPPED],
    ['while it evicts', TIGHT],
    ['with whole events as justification', WITH_EVENTS],
  ])('continues exactly as if it had never stopped, %s', (_, settings) => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (seed, cuts) => {
        const events = randomEvents(seed, 600);
        const expected = undisturbed(events, settings);
        expect(expected.latest.size).toBeGreaterThan(0);
        expect(disturbed(events, settings, cuts)).toEqual(expected);
      }),
      { numRuns: 10 },
    );
  });

  test('keeps names that are not well-formed text', () => {
    const names = ['\ud800', 'ÿ', 'Ā', '', '\u0000', 'a\nb', '__proto__', 'constructor', '\udc00\ud800 名'];
    const tracker = createTracker(SHIPPED);
    for (const name of names) {
      for (let i = 0; i < 3; i += 1) tracker.feed(at(i, trap(0x40_1100 + 4 * i, { procname: name, file: null }), name));
    }
    const restored = createTracker(SHIPPED);
    restored.restore(tracker.snapshot());
    expect(restored.snapshot()).toEqual(tracker.snapshot());
    expect(restored.drain()).toEqual(tracker.drain());
    expect(restored.stats().programs).toBe(names.length);
  });
});

test('chunks stay below 1 MiB', () => {
  const tracker = createTracker(SHIPPED);
  for (let i = 0; i < 20_000; i += 1) {
    tracker.feed(at(i, trap(i * 0x1_0000, { procname: `program-${i}`, file: null }), `host-${i % 300}`));
  }
  const chunks = tracker.snapshot();
  expect(chunks.length).toBeGreaterThan(2);
  expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(2 ** 20);
});

test('rejects a snapshot of another version or other data', () => {
  const chunks = createTracker(SHIPPED).snapshot();
  for (const header of ['trapline-tracker-state 999', '', '{}']) {
    expect(() => createTracker(SHIPPED).restore([header, ...chunks.slice(1)])).toThrow(SnapshotVersionError);
  }
  expect(() => createTracker(SHIPPED).restore([])).toThrow(SnapshotVersionError);
});

test('rejects a damaged snapshot', () => {
  const tracker = createTracker(SHIPPED);
  for (const event of randomEvents(1, 200)) tracker.feed(event);
  const [header = '', body = ''] = tracker.snapshot();
  expect(() => createTracker(SHIPPED).restore([header, body.slice(0, body.length / 2)])).toThrow(RangeError);
});
