import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import type { RuleCase } from '#analytics/detections/rule-case.ts';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { seededRandom } from '#test/support/seeded-random.ts';

/** At-least-once delivery: events are repeated in the orders in which real sources resend them. */
const DELIVERIES: Readonly<Record<string, (events: readonly AcceptedEvent[]) => AcceptedEvent[]>> = {
  'the whole log twice': (events) => [...events, ...events],
  'every line twice': (events) => events.flatMap((event) => [event, event]),
  'in batches, each of them sent again': (events) =>
    Array.from({ length: Math.ceil(events.length / 7) }, (_, i) => events.slice(7 * i, 7 * i + 7)).flatMap((batch) => [
      ...batch,
      ...batch,
    ]),
  'from a restart in the middle, a few lines again': (events) => {
    const middle = Math.ceil(events.length / 2);
    return [...events.slice(0, middle), ...events.slice(Math.max(0, middle - 10))];
  },
  'lines again at random': (events) => {
    const { next } = seededRandom(events.length);
    return events.flatMap((event, i) => {
      const earlier = events[Math.floor(next() * (i + 1))] as AcceptedEvent;
      return next() < 0.5 ? [event, earlier] : [event];
    });
  },
};

const analyze = (events: readonly AcceptedEvent[]) => analyzeEvents(events, DEFAULT_DETECTION_SETTINGS);

const STORIES = await Promise.all(
  RULES.map(async ({ id }) => {
    const file = new URL(`../../../analytics/detections/rules/${id}.cases.ts`, import.meta.url);
    const { cases } = (await import(file.href)) as { readonly cases: readonly RuleCase[] };
    return { id, stories: cases.map((story) => ({ ...story, once: analyze(story.events) })) };
  }),
);

describe.each(STORIES)('$id', ({ stories }) => {
  test.each(Object.entries(DELIVERIES))('%s changes nothing', (_, deliver) => {
    for (const { name, events, once } of stories) expect(analyze(deliver(events)), name).toEqual(once);
  });
});
