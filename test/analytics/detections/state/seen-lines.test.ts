import { expect, test } from 'vitest';
import type { Host } from '#analytics/detections/state/program.ts';
import { type CrashLine, createRepeatCheck, createSeenLines } from '#analytics/detections/state/seen-lines.ts';

const line = (i: number): CrashLine => ({
  host: i % 7,
  seconds: 1_770_000_000 + (i >> 3),
  nanos: (i % 8) * 125_000_000,
  pid: 4000 + i,
  pointer: 0x7fd7_0000_0000 + i * 16,
  kind: i % 2,
});

function feed(seen: ReturnType<typeof createSeenLines>, from: number, to: number): number {
  let repeats = 0;
  for (let i = from; i < to; i += 1) if (seen.isRepeat(line(i))) repeats += 1;
  return repeats;
}

test('each part of a line distinguishes it', () => {
  const seen = createSeenLines();
  expect(seen.isRepeat(line(1))).toBe(false);
  expect(seen.isRepeat(line(1))).toBe(true);
  const others = [{ host: 2 }, { seconds: 5 }, { nanos: 5 }, { pid: 5 }, { pointer: 5 }, { kind: 0 }];
  for (const other of others) expect(seen.isRepeat({ ...line(1), ...other })).toBe(false);
  // Values below and above 2^32.
  expect(seen.isRepeat({ ...line(1), pointer: line(1).pointer + 2 ** 40 })).toBe(false);
});

test('without a pid no line is a repeat', () => {
  const seen = createSeenLines();
  for (let i = 0; i < 3; i += 1) expect(seen.isRepeat({ ...line(1), pid: Number.NaN })).toBe(false);
});

test('finds 4,000 lines delivered again, and does not mistake 50,000 different ones for repeats', () => {
  const seen = createSeenLines();
  expect(feed(seen, 0, 4_000)).toBe(0);
  expect(feed(seen, 0, 4_000)).toBeGreaterThanOrEqual(3_998);
  expect(feed(seen, 4_000, 54_000)).toBe(0);
});

test('a restored table continues like the original', () => {
  const seen = createSeenLines();
  feed(seen, 0, 30_000);
  const restored = createSeenLines();
  restored.restore(seen.numbers());
  expect(restored.numbers()).toEqual(seen.numbers());
  expect(feed(restored, 20_000, 40_000)).toBe(feed(seen, 20_000, 40_000));
  expect(restored.numbers()).toEqual(seen.numbers());
});

test('new lines waiting for their position are repeats when they arrive again, in order of arrival', () => {
  const [seen, compared] = [createSeenLines(), createSeenLines()];
  for (let i = 0; i < 1_000; i += 1) {
    seen.addNew(line(i));
    compared.isRepeat(line(i));
    if (i % 301 === 300) expect(seen.isRepeat(line(i))).toBe(true);
  }
  expect(seen.numbers()).toEqual(compared.numbers());
  expect(feed(seen, 0, 1_000)).toBe(1_000);
});

test('compares lines by time with those of the host only if they are not later', () => {
  const seen = createSeenLines();
  const isRepeat = createRepeatCheck(seen);
  const host = { born: 1, latestSeconds: 0 as number | undefined, latestNanos: 0 } as Host;
  const at = (seconds: number, nanos: number) => isRepeat(host, { seconds, nanos }, 4_000, 16, 0);
  expect([at(10, 5), at(10, 5), at(10, 6), at(9, 7), at(9, 7), at(10, 6), at(11, 0)]).toEqual([
    false,
    true,
    false,
    false,
    true,
    true,
    false,
  ]);
  expect([host.latestSeconds, host.latestNanos]).toEqual([11, 0]);
  // A snapshot of a version that did not store the time.
  host.latestSeconds = undefined;
  expect([at(11, 0), at(12, 0), at(12, 0)]).toEqual([true, false, true]);
});
