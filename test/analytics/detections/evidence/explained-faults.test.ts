import { expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { at, dump, hex, random, times, trap, WRITE } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { SegfaultErrorCode } from '#schemas/events/event.ts';

const PAGE = 4_096;
const LIBRARY = { file: 'libc.so.6', vmastart: 0x7f00_0000_0000, vmasize: 0x15_5000 };
const rulesOf = (events: readonly AcceptedEvent[]) =>
  analyzeEvents(events, DEFAULT_DETECTION_SETTINGS).map(({ rule }) => rule.id);

/** A fault of a copy loop. With `middle`, it lies in the middle of a page. */
const copy = (i: number, offset: number, middle: boolean) =>
  at(
    60 * i,
    trap(LIBRARY.vmastart + offset, {
      ...LIBRARY,
      pid: 100 + i,
      trap: { type: 'Segfault', location: 0x7e00_0000_0000 + i * PAGE + (middle ? 2_000 : 8) },
      errcode: WRITE,
    }),
  );

test('faults in the middle of a page belong to the copy whose other faults show where data ended', () => {
  const places = times(40, (i) => 0x8_8000 + 4 * Math.floor(random(i) * 40));
  const overrun = places.map((offset, i) => copy(i, offset, i >= 12 && i % 3 === 0));
  expect(rulesOf(overrun)).toEqual([]);
});

test('a scan of a library with one in 32 faults at the edge of a page is a scan', () => {
  const scan = times(96, (i) => copy(i, 0x8_8000 + 16 * i, i % 32 !== 0));
  expect(rulesOf(scan)).toEqual(['instruction-pointer-probe']);
});

/** The dump of a recursion at this stack depth, without a trap line. Each dump ends at another instruction. */
const recursion = (depth: number) => {
  const sp = 0x7ffc_0000_1000;
  const ended = at(
    0,
    trap(0x40_1000, { vmasize: 0x10_0000, sp, trap: { type: 'Segfault', location: sp - 8 }, errcode: WRITE }),
  );
  const dumps = times(24, (i) =>
    at(
      1 + i,
      dump({
        PID: String(100 + i),
        RIP: `0033:0x${(0x40_2000 + 4_000 * i).toString(16)}`,
        RSP: `002b:${hex(sp + depth - 64 * i)}`,
      }),
    ),
  );
  return [ended, ...dumps];
};

test('dumps at the end of a stack known from a trap line are not a scan, and others are', () => {
  expect(rulesOf(recursion(0))).toEqual([]);
  expect(rulesOf(recursion(8 * 2 ** 20))).toEqual(['instruction-pointer-probe']);
});

test('the end of a stack on arm64, whose kernel prints no access address, is not a scan', () => {
  const edge = 0xffff_f309_d000;
  const recursion = (sp: number, errcode: SegfaultErrorCode) =>
    times(12, (i) =>
      at(
        60 * i,
        trap(0x40_1100 + 4 * (i % 6), {
          pid: 100 + i,
          sp: sp - 16 * (i % 4),
          errcode,
          trap: { type: 'Generic', description: 'DABT (lower EL), level 3 translation fault' },
        }),
      ),
    );
  expect(rulesOf(recursion(edge, WRITE))).toEqual([]);
  expect(rulesOf(recursion(edge, { ...WRITE, access_type: 'Read' }))).toEqual(['instruction-pointer-probe']);
  expect(rulesOf(recursion(edge + 2_048, WRITE))).toEqual(['instruction-pointer-probe']);
});
