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
    const before = process.threadCpuUsage();
    expect(inTime(() => pattern.test(text), 50)).toBeUndefined();
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
    expect(inTime(() => /^a/u.test('a'), 50)).toEqual({ value: true });
  });

  it('gives what a busy machine only kept waiting: an event that matched was lost', () => {
    const cell = new Int32Array(new SharedArrayBuffer(4));
    const late = () => {
      // Nothing is computed meanwhile, as when others have the processor.
      Atomics.wait(cell, 0, 0, 60);
      return 'late';
    };
    expect(inTime(late, 20)).toEqual({ value: 'late' });
  });
});
