import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRecentIds } from '#ingest/pipeline/recent-ids.ts';

const LANDING = 'a batch lands';

it('knows the ids since the last insert but one, and at least the last `capacity` ids', () => {
  const step = fc.oneof({ weight: 5, arbitrary: fc.nat(50).map(String) }, fc.constant(LANDING));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (steps, capacity) => {
      const recent = createRecentIds(capacity);
      const landings: number[] = [];
      const added: string[] = [];
      for (const one of steps) {
        if (one === LANDING) {
          recent.landed();
          landings.push(added.length);
        } else {
          recent.add(one);
          added.push(one);
        }
        const since = landings.at(-2) ?? 0;
        for (const known of added.slice(Math.min(since, Math.max(0, added.length - capacity)))) {
          expect(recent.has(known)).toBe(true);
        }
      }
    }),
  );
});

it('forgets stored ids when the ids grow long', () => {
  const recent = createRecentIds(1_000, 100);
  recent.add('x'.repeat(100));
  recent.landed();
  recent.add('y'.repeat(100));
  expect(recent.has('x'.repeat(100))).toBe(true);
  recent.landed();
  expect(recent.has('x'.repeat(100))).toBe(false);
  expect(recent.has('y'.repeat(100))).toBe(true);
});
