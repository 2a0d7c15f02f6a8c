import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRecentIds } from '#ingest/pipeline/recent-ids.ts';

it('remembers at least the last `capacity` ids', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50), { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (ids, capacity) => {
      const recent = createRecentIds(capacity);
      ids.forEach((id, index) => {
        recent.add(String(id));
        for (const known of new Set(ids.slice(Math.max(0, index + 1 - capacity), index + 1))) {
          expect(recent.has(String(known))).toBe(true);
        }
      });
    }),
  );
});
