import { expect, test } from 'vitest';
import { NOTHING_FOLLOWED, takeIn } from '#dashboards/console/src/parts/execution/follow.ts';
import { timelineOf } from '#dashboards/console/src/parts/execution/timeline.ts';

const at = '2026-03-01T12:00:00.000Z';
const step = (status: string, more: object = {}) => ({
  kind: 'step',
  id: '2',
  data: { step: '/do/0/a', name: 'a', kind: 'call', status, attempt: 1, startedAt: at, ...more },
});

test('a step that changed is the same step; what is heard twice counts once', () => {
  const first = takeIn(NOTHING_FOLLOWED, [
    { kind: 'status', id: '1', data: { status: 'running', at } },
    step('running'),
    { kind: 'line', id: '3', data: { level: 'info', text: 'hello', step: '/do/0/a', at } },
  ]);
  const second = takeIn(first, [
    { kind: 'line', id: '3', data: { level: 'info', text: 'hello', step: '/do/0/a', at } },
    step('completed', { output: 1, completedAt: '2026-03-01T12:00:01.000Z' }),
    { kind: 'status', id: '5', data: { status: 'completed', at } },
    { kind: 'end', id: '5', data: {} },
  ]);
  expect(second.status).toBe('completed');
  expect(second.ended).toBe(true);
  expect([...second.steps.values()]).toMatchObject([{ status: 'completed', output: 1 }]);
  expect(second.log.map(({ text }) => text)).toEqual(['running', 'hello', 'completed']);
});

test('bars lie in the time of the execution; inner steps come after the one they are in', () => {
  const step = (path: string, from: number, to: number | undefined, attempt = 1) => ({
    step: path,
    name: path.split('/').at(-1) ?? '',
    kind: 'set',
    status: to === undefined ? 'running' : 'completed',
    attempt,
    startedAt: new Date(Date.parse(at) + from).toISOString(),
    ...(to === undefined ? {} : { completedAt: new Date(Date.parse(at) + to).toISOString() }),
  });
  const rows = timelineOf(
    [step('/do/0/outer/try/0/inner', 0, 500), step('/do/0/outer', 0, 1_000), step('/do/1/last', 1_000, undefined)],
    { startedAt: at, endedAt: undefined, now: Date.parse(at) + 2_000 },
  );
  expect(rows.map(({ name, depth, from, width }) => [name, depth, from, width])).toEqual([
    ['outer', 0, 0, 50],
    ['inner', 1, 0, 25],
    ['last', 0, 50, 50],
  ]);
  expect(timelineOf([], { startedAt: undefined, endedAt: undefined, now: 0 })).toEqual([]);
});
