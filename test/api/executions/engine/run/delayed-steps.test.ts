import { expect, test } from 'vitest';
import type { StepStatus } from '#api/executions/engine/contract/port.ts';
import { beginDelay, delayOpenSteps } from '#api/executions/engine/run/delayed-steps.ts';
import { emptyChange, noteEffects, noteStep } from '#api/executions/engine/writes/change.ts';

const at = '2026-01-01T00:00:00Z';
const stepOf = (name: string, status: StepStatus = 'running') => {
  return { step: `/do/${name}`, name, kind: 'run', attempt: 1, status, at };
};

/** Names of the steps that are written, and of those whose write is delayed. */
function split(
  steps: readonly string[],
  { effects = [] as string[], due = {} as Record<string, number>, now = 0 } = {},
) {
  const change = emptyChange();
  for (const given of steps) {
    const [name = '', status = 'running'] = given.split(' ');
    noteStep(change, stepOf(name, status as StepStatus));
    if (effects.includes(name)) noteEffects(change, stepOf(name));
    const noted = [...change.steps.values()].at(-1);
    if (noted !== undefined && due[name] !== undefined) noted.due = due[name];
  }
  const next = emptyChange(change);
  const earliest = delayOpenSteps(change, next, now);
  const namesOf = ({ steps: of }: typeof change) => [...of.values()].map(({ last }) => last.name);
  return { written: namesOf(change), delayed: namesOf(next), earliest };
}

test('delays new steps, unless they wait, have effects outside, or began before a step that is written', () => {
  expect(split(['a completed', 'b', 'c'])).toMatchObject({ written: ['a'], delayed: ['b', 'c'] });
  expect(split(['a', 'b waiting', 'c'])).toMatchObject({ written: ['a', 'b'], delayed: ['c'] });
  expect(split(['a', 'b', 'c'], { effects: ['b'] })).toMatchObject({ written: ['a', 'b'], delayed: ['c'] });
  expect(split(['a', 'b', 'c failed'])).toMatchObject({ written: ['a', 'b', 'c'], delayed: [] });
});

test('delays a step until it is due', () => {
  const due = { a: 100, b: 150 };
  expect(split(['a', 'b'], { due, now: 99 })).toEqual({ written: [], delayed: ['a', 'b'], earliest: 100 });
  expect(split(['a', 'b'], { due, now: 100 })).toEqual({ written: ['a'], delayed: ['b'], earliest: 150 });
  expect(split(['a', 'b'], { due, now: 150 })).toEqual({ written: ['a', 'b'], delayed: [], earliest: undefined });
});

test('writes the steps beyond the number that a run may leave unwritten', () => {
  const steps = Array.from({ length: 101 }, (_, number) => `s${number}`);
  expect(split(steps.slice(1)).delayed).toHaveLength(100);
  expect(split(steps).delayed).toEqual([]);
});

test('the delay begins once with the task; a step with external effects has no delay', () => {
  const change = emptyChange();
  noteStep(change, stepOf('a'));
  const due = beginDelay(change, 1_000) ?? 0;
  expect(due).toBeGreaterThan(1_000);
  noteStep(change, stepOf('b'));
  expect(beginDelay(change, due - 1)).toBe(due);
  expect(beginDelay(change, due)).toBeUndefined();
  const other = emptyChange();
  noteStep(other, stepOf('a'));
  noteEffects(other, stepOf('a'));
  expect(beginDelay(other, 1_000)).toBeUndefined();
});

test('a delayed step that ends is one row, and keeps its start time', () => {
  const change = emptyChange();
  noteStep(change, stepOf('a'));
  const next = emptyChange(change);
  delayOpenSteps(change, next, 0);
  noteStep(next, { ...stepOf('a', 'completed'), at: '2026-01-01T00:00:01Z' });
  noteStep(next, { ...stepOf('b', 'completed'), at: '2026-01-01T00:00:02Z' });
  const [a, b] = [...next.steps.values()];
  expect(a).toMatchObject({ startedAt: at, ranMs: 1_000, last: { status: 'completed' } });
  expect(a?.begun).toBeLessThan(a?.changed ?? 0);
  expect(a?.changed).toBeLessThan(b?.begun ?? 0);
});
