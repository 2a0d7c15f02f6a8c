import { describe, expect, it } from 'vitest';
import { createInFlightLimit } from '#api/http/limits/in-flight-limit.ts';

describe('requests in flight', () => {
  it('never exceed the limit of a group', () => {
    const inFlight = createInFlightLimit({ max: 2 });
    expect([inFlight.enter('a'), inFlight.enter('a'), inFlight.enter('a')]).toEqual([true, true, false]);
    expect(inFlight.enter('b')).toBe(true);
    inFlight.leave('a');
    expect([inFlight.enter('a'), inFlight.enter('a')]).toEqual([true, false]);
  });

  it('are counted correctly after many groups', () => {
    const inFlight = createInFlightLimit({ max: 1 });
    expect(inFlight.enter('stays')).toBe(true);
    for (let group = 0; group < 5_000; group += 1) {
      expect(inFlight.enter(`${group}`)).toBe(true);
      inFlight.leave(`${group}`);
    }
    expect(inFlight.enter('stays')).toBe(false);
    inFlight.leave('stays');
    expect(inFlight.enter('stays')).toBe(true);
  });
});
