import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createExpiringMap } from '#api/shared-state/expiring-map.ts';

describe('a map with expiring entries', () => {
  it('equals a map that checks every entry each time', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.oneof(
      fc.record({ does: fc.constant('set' as const), key, ttl: fc.integer({ min: 1, max: 50 }) }),
      fc.record({ does: fc.constant('extend' as const), key, ttl: fc.integer({ min: 1, max: 50 }) }),
      fc.record({ does: fc.constant('delete' as const), key, ttl: fc.constant(0) }),
      fc.record({ does: fc.constant('pass' as const), key, ttl: fc.integer({ min: 1, max: 30 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        let now = 0;
        const map = createExpiringMap<number>({ capacity: 100, now: () => now });
        const model = new Map<string, { value: number; endsAt: number }>();
        for (const [value, { does, key, ttl }] of steps.entries()) {
          const known = model.get(key);
          if (does === 'set') {
            map.set(key, value, now + ttl);
            model.set(key, { value, endsAt: now + ttl });
          } else if (does === 'extend' && known !== undefined && known.endsAt > now) {
            map.extend(key, now + ttl);
            known.endsAt = now + ttl;
          } else if (does === 'delete') {
            map.delete(key);
            model.delete(key);
          } else now += ttl;
          for (const [name, { value, endsAt }] of model) {
            expect(map.get(name)).toBe(endsAt > now ? value : undefined);
            expect(map.remaining(name)).toBe(Math.max(0, endsAt - now));
          }
        }
      }),
    );
  });

  it('never exceeds its capacity, and keeps the newest entries', () => {
    const map = createExpiringMap<string>({ capacity: 100, now: () => 0 });
    for (let i = 0; i < 1_000; i += 1) {
      map.set(`k${i}`, 'value', 1, 10);
      expect(map.size).toBeLessThanOrEqual(10);
      expect(map.get(`k${i}`)).toBe('value');
    }
    map.set('k999', 'larger', 1, 95);
    expect([map.size, map.get('k999')]).toEqual([1, 'larger']);
  });

  it('does not keep an entry larger than its capacity', () => {
    const map = createExpiringMap<string>({ capacity: 100, now: () => 0 });
    map.set('k', 'small', 1, 10);
    map.set('k', 'huge', 1, 101);
    expect(map.get('k')).toBeUndefined();
    map.set('other', 'fits', 1, 100);
    expect(map.get('other')).toBe('fits');
  });

  it('removes expired entries during writes, without scanning all at once', () => {
    let now = 0;
    const map = createExpiringMap<number>({ capacity: 1e9, now: () => now });
    let most = 0;
    // Each entry lives for 1,000 steps, so 1,000 are alive at a time. No entry is read again.
    for (now = 0; now < 50_000; now += 1) {
      map.set(`k${now}`, now, now + 1_000);
      most = Math.max(most, map.size);
    }
    expect(most).toBeLessThan(2_000);
  });
});
