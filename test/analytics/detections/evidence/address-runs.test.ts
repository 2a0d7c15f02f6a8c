import { describe, expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { at, random, times, trap } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

/**
 * Where `memcpy` of glibc 2.36 fails on a processor with AVX2 when its source or its target is a random address: offset and count, of 2,400 copies each whose lengths are
 * spread by their logarithm over 1 byte to 64 KiB.
 */
const FROM_WILD: readonly Place[] = [
  [0x809, 1_477],
  [0x833, 152],
  [0x85a, 317],
  [0x870, 164],
  [0x885, 144],
  [0x8a2, 146],
];
const TO_WILD: readonly Place[] = [
  [0x824, 135],
  [0x838, 145],
  [0x863, 147],
  [0x868, 156],
  [0x87a, 154],
  [0x893, 165],
  [0x8aa, 145],
  [0x8c3, 148],
  [0x944, 127],
  [0xa12, 297],
  [0xab6, 19],
  [0xb75, 762],
];
type Place = readonly [offset: number, count: number];

const LIBC = { file: 'libc.so.6', vmastart: 0x7fd7_d7a0_0000, vmasize: 0x15_6000 } as const;
const crash = (i: number, offset: number) =>
  at(60 * i, trap(LIBC.vmastart + 0xc_7000 + offset, { ...LIBC, pid: 100 + i }));
const rulesOf = (events: Iterable<AcceptedEvent>) =>
  analyzeEvents(events, DEFAULT_DETECTION_SETTINGS).map(({ rule }) => rule.id);

function drawn(places: readonly Place[], share: number): number {
  let left = share * places.reduce((sum, [, count]) => sum + count, 0);
  for (const [offset, count] of places) {
    left -= count;
    if (left < 0) return offset;
  }
  return places[0]?.[0] ?? 0;
}

/** A forked server of which each child copies from or to a wrong address. */
const wildCopies = (seed: number, pools: readonly (readonly Place[])[]) =>
  times(200, (i) => {
    const pool = pools[Math.floor(random(seed * 7_919 + 2 * i) * pools.length)] as readonly Place[];
    return crash(i, drawn(pool, random(seed * 104_729 + 2 * i + 1)));
  });

describe('a run in a library', () => {
  test('copies from or to a wrong address are not a scan', () => {
    for (const seed of times(10, (i) => i)) {
      expect(rulesOf(wildCopies(seed, [FROM_WILD]))).toEqual([]);
      expect(rulesOf(wildCopies(seed, [TO_WILD]))).toEqual([]);
    }
  });

  test('programs that do both are mistaken for a scan at the stated rate', () => {
    const programs = 200;
    const alarms = times(programs, (seed) => rulesOf(wildCopies(seed, [FROM_WILD, TO_WILD]))).filter(
      ({ length }) => length > 0,
    );
    expect(alarms.length / programs).toBeLessThanOrEqual(0.03);
  });

  test('finds a scan in small steps at its tenth place, or twentieth with two tries each', () => {
    const scan = (count: number, tries: number) =>
      times(count * tries, (i) => crash(i, 0x4000 + 16 * Math.floor(i / tries)));
    expect(rulesOf(scan(9, 1))).toEqual([]);
    expect(rulesOf(scan(10, 1))).toEqual(['instruction-pointer-probe']);
    expect(rulesOf(scan(19, 2))).toEqual([]);
    expect(rulesOf(scan(20, 2))).toEqual(['instruction-pointer-probe']);
  });
});
