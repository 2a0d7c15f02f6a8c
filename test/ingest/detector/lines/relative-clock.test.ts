import { expect, test } from 'vitest';
import { createRelativeClock } from '#ingest/detector/lines/relative-clock.ts';

const REFERENCE = Date.UTC(2024, 0, 10);
const timesOf = (lines: readonly string[]) => {
  const clock = createRelativeClock(REFERENCE);
  return lines.map((line) => {
    const read = clock.read(line);
    return read?.realtime ?? read?.monotonicUs;
  });
};

test('distances count from the minute before them', () => {
  expect(
    timesOf(['[Jan 5 10:11] a', '[ +12.500000] b', '[  +0.000012] c', '[Jan 5 10:12] d', '[  +1.000000] e']),
  ).toEqual([
    '2024-01-05T10:11:00Z',
    '2024-01-05T10:11:12.500000Z',
    '2024-01-05T10:11:12.500012Z',
    '2024-01-05T10:12:00Z',
    '2024-01-05T10:12:01.000000Z',
  ]);
});

test('a line that begins a minute is not before the line before it', () => {
  expect(timesOf(['[Jan 5 10:11] a', '[ +59.900000] b', '[  +0.200000] c', '[Jan 5 10:12] d'])).toEqual([
    '2024-01-05T10:11:00Z',
    '2024-01-05T10:11:59.900000Z',
    '2024-01-05T10:12:00.100000Z',
    '2024-01-05T10:12:00.100000Z',
  ]);
});

test('a minute of the past is taken as it is: the clock was set', () => {
  expect(timesOf(['[Jan 5 10:11] a', '[ +30.000000] b', '[Jan 5 09:00] c'])).toEqual([
    '2024-01-05T10:11:00Z',
    '2024-01-05T10:11:30.000000Z',
    '2024-01-05T09:00:00Z',
  ]);
});

test('without a minute, times count from the first line', () => {
  expect(timesOf(['[  +5.000000] a', '[  +1.500000] b', '[  +0.000001] c'])).toEqual([0, 1_500_000, 1_500_001]);
});

test('a month in an unknown language leaves the time open, and the text is read', () => {
  expect(createRelativeClock(REFERENCE).read('[Xyz 5 10:11] text')).toMatchObject({ text: 'text', realtime: null });
});
