import { expect, test } from 'vitest';
import { timeScale, timeTicks } from '#dashboards/console/src/pages/detection/picture/time-scale.ts';

const steps = (count: number, seconds: number, from = 0) =>
  Array.from({ length: count }, (_, index) => from + index * seconds);

test('breaks the axis at a pause longer than all activity, and labels the pause', () => {
  const { segments, breaks, x } = timeScale([...steps(20, 0.5), ...steps(20, 0.5, 7_200)], 600);
  expect(segments).toHaveLength(2);
  expect(breaks).toMatchObject([{ seconds: 7_190.5 }]);
  // Both segments have the same width. No event is drawn inside the break or beyond the axis.
  const [before, after] = segments;
  expect((before?.right ?? 0) - (before?.left ?? 0)).toBeCloseTo((after?.right ?? 0) - (after?.left ?? 0));
  expect(after?.right).toBeCloseTo(600);
  expect(x(9.5)).toBeLessThanOrEqual(breaks[0]?.left ?? 0);
  expect(x(7_200)).toBeGreaterThanOrEqual(breaks[0]?.right ?? 600);
});

test.each([
  ['one instant', [5]],
  ['two instants', [0, 3_600]],
  ['a steady pace', steps(40, 60)],
  ['pairs at a steady pace: the rhythm of the events is no pause', steps(20, 900).flatMap((at) => [at, at + 0.001])],
  ['a short pause in an attack', [...steps(60, 0.05), ...steps(60, 0.05, 4.5)]],
])('%s: no break', (_name, times) => {
  const { segments, breaks, x } = timeScale(times, 600);
  expect([segments.length, breaks.length]).toEqual([1, 0]);
  const places = times.map(x);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...places)).toBeLessThanOrEqual(600);
});

test('leaves room for tick labels; an instant has its own tick', () => {
  const scale = timeScale(steps(40, 60), 600);
  const places = timeTicks(scale, 90).map(({ at }) => scale.x(at));
  expect(places.length).toBeGreaterThan(2);
  for (const [index, place] of places.slice(1).entries())
    expect(place - (places[index] ?? 0)).toBeGreaterThanOrEqual(89);
  expect(timeTicks(timeScale([5], 600), 90)).toEqual([{ at: 5, step: 1 }]);
});
