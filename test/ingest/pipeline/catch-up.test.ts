import { describe, expect, it } from 'vitest';
import { createCatchUp } from '#ingest/pipeline/catch-up.ts';

function catchUp() {
  const at = { end: 0, now: 0 };
  return { at, ...createCatchUp({ endOf: () => at.end, now: () => at.now }) };
}

describe('a partition is behind', () => {
  it('from ten thousand records until none is left', () => {
    const { at, delivered, isBehind } = catchUp();
    at.end = 10_010;
    delivered('p', 10);
    expect(isBehind('p')).toBe(false);
    at.end = 10_011;
    expect(isBehind('p')).toBe(true);
    delivered('p', 10_010);
    expect(isBehind('p')).toBe(true);
    delivered('p', 10_011);
    expect(isBehind('p')).toBe(false);
    at.end = 10_012;
    expect(isBehind('p')).toBe(false);
  });

  it('not because of offsets without records at its end', () => {
    const { at, delivered, isBehind } = catchUp();
    at.end = 20_000;
    delivered('p', 10);
    expect(isBehind('p')).toBe(true);
    at.now = 500;
    delivered('p', 19_999);
    at.now = 1_499;
    expect(isBehind('p')).toBe(true);
    at.now = 1_500;
    expect(isBehind('p')).toBe(false);
    // Later records are not delayed.
    at.end = 20_002;
    delivered('p', 20_001);
    expect(isBehind('p')).toBe(false);
  });

  it('also while this process paused it', () => {
    const { at, delivered, resumed, isBehind } = catchUp();
    at.end = 50_000;
    delivered('p', 10);
    at.now = 5_000;
    resumed('p');
    expect(isBehind('p')).toBe(true);
  });

  it('not before its offsets are known, and not after it is removed', () => {
    const { at, delivered, resumed, isBehind, forget } = catchUp();
    at.end = 50_000;
    resumed('p');
    expect(isBehind('p')).toBe(false);
    delivered('p', 10);
    forget('p');
    expect(isBehind('p')).toBe(false);
  });
});
