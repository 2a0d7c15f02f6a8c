import { describe, expect, it } from 'vitest';
import { inTime } from '#api/executions/engine/in-time.ts';

describe('inTime', () => {
  it('gives what the function gives, and its errors', () => {
    expect(inTime(() => 1 + 1, 50)).toEqual({ value: 2 });
    expect(() =>
      inTime(() => {
        throw new RangeError('mine');
      }, 50),
    ).toThrow(RangeError);
  });

  it.each([
    [/(a+)+$/u, `${'a'.repeat(40)}!`],
    [/a+b/u, 'a'.repeat(1_000_000)],
  ])('ends %s', (pattern, text) => {
    const began = performance.now();
    expect(inTime(() => pattern.test(text), 50)).toBeUndefined();
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(inTime(() => /^a/u.test('a'), 50)).toEqual({ value: true });
  });
});
