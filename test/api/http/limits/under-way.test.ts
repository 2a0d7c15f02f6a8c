import { describe, expect, it } from 'vitest';
import { createUnderWay } from '#api/http/limits/under-way.ts';

describe('requests in flight', () => {
  it('is never more than the limit of a group', () => {
    const underWay = createUnderWay({ most: 2 });
    expect([underWay.enter('a'), underWay.enter('a'), underWay.enter('a')]).toEqual([true, true, false]);
    expect(underWay.enter('b')).toBe(true);
    underWay.leave('a');
    expect([underWay.enter('a'), underWay.enter('a')]).toEqual([true, false]);
  });

  it('is still counted when many groups have come and gone', () => {
    const underWay = createUnderWay({ most: 1 });
    expect(underWay.enter('stays')).toBe(true);
    for (let group = 0; group < 5_000; group += 1) {
      expect(underWay.enter(`${group}`)).toBe(true);
      underWay.leave(`${group}`);
    }
    expect(underWay.enter('stays')).toBe(false);
    underWay.leave('stays');
    expect(underWay.enter('stays')).toBe(true);
  });
});
