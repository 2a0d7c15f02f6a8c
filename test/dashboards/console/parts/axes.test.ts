import { expect, test } from 'vitest';
import { labelRoom } from '#dashboards/console/src/parts/charts/axis-labels.ts';
import { TIME_AXIS } from '#dashboards/console/src/parts/charts/time-axis.ts';

/** Returns the labels of an axis with `count` steps of `step` seconds, from midnight in the local time zone. */
function labelsOf(step: number, count: number): string[] {
  const midnight = new Date(2026, 2, 1).getTime() / 1_000;
  const splits = Array.from({ length: count }, (_, index) => midnight + index * step);
  const { values } = TIME_AXIS;
  if (typeof values !== 'function') throw new Error('the axis writes its labels itself');
  return values(undefined as never, splits, 0, 0, step).map(String);
}

test('no two neighbouring labels of a time axis are equal, whatever the step', () => {
  const steps = TIME_AXIS.incrs as readonly number[];
  for (const step of steps) {
    const labels = labelsOf(step, 9);
    expect(
      labels.filter((label, index) => label === labels[index + 1]),
      `by ${step} s`,
    ).toEqual([]);
  }
  expect(labelsOf(43_200, 3)[1]).toMatch(/12:00/);
});

test('a time axis formats days like lists', () => {
  const year = new Date().getFullYear() === 2026 ? '' : ' 2026';
  expect(labelsOf(86_400, 2)).toEqual([`1 Mar${year}`, `2 Mar${year}`]);
  expect(labelsOf(43_200, 1)).toEqual([`1 Mar${year}`]);
});

test('divides an attack of a few seconds into several intervals', () => {
  const steps = TIME_AXIS.incrs as readonly number[];
  const [seconds, width] = [7.5, 560];
  const step = steps.find((one) => (one / seconds) * width >= (TIME_AXIS.space as number)) ?? Number.POSITIVE_INFINITY;
  expect(seconds / step).toBeGreaterThan(3);
});

test('a vertical axis is as wide as its longest label, with a minimum width', () => {
  expect(labelRoom(undefined, ['0', '500', '17,961'])).toBeGreaterThan(labelRoom(undefined, ['0', '500']));
  expect(labelRoom(undefined, null)).toBe(labelRoom(undefined, ['0']));
});
