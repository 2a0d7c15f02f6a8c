import { expect, test } from 'vitest';
import { NOTHING_FOLLOWED, takeIn } from '#dashboards/console/src/parts/execution/follow.ts';
import { EXECUTION_GERMAN } from '#dashboards/console/src/parts/execution/text.de.ts';
import { timelineOf } from '#dashboards/console/src/parts/execution/timeline.ts';

const at = '2026-03-01T12:00:00.000Z';
const step = (status: string, more: object = {}) => ({
  kind: 'step',
  id: '2',
  data: {
    step: '/do/0/a',
    name: 'a',
    kind: 'call',
    status,
    attempt: 1,
    sequence: 1,
    parent: null,
    startedAt: at,
    ...more,
  },
});

test('updates a changed step in place and ignores repeated messages', () => {
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

const MS_AT = Date.parse(at);
function stepOf(
  path: string,
  {
    sequence,
    parent = null,
    from = 0,
    to,
    attempt = 1,
  }: {
    readonly sequence: number;
    readonly parent?: string | null;
    readonly from?: number;
    readonly to?: number;
    readonly attempt?: number;
  },
) {
  return {
    step: path,
    name: path.split('/').at(-1) ?? '',
    kind: 'set',
    status: to === undefined ? 'running' : 'completed',
    attempt,
    sequence,
    parent: parent === null ? null : { step: parent, attempt },
    startedAt: new Date(MS_AT + from).toISOString(),
    ...(to === undefined ? {} : { completedAt: new Date(MS_AT + to).toISOString() }),
  };
}

test('places bars in the time of the execution, and inner steps after their parent', () => {
  const outer = '/do/0/outer';
  const rows = timelineOf(
    [
      stepOf(`${outer}/try/0/inner`, { sequence: 2, parent: outer, to: 500 }),
      stepOf(outer, { sequence: 1, to: 1_000 }),
      stepOf('/do/1/last', { sequence: 3, from: 1_000 }),
    ],
    { startedAt: at, endedAt: undefined, now: MS_AT + 2_000 },
  );
  expect(rows.map(({ name, depth, from, width }) => [name, depth, from, width])).toEqual([
    ['outer', 0, 0, 50],
    ['inner', 1, 0, 25],
    ['last', 0, 50, 50],
  ]);
  expect(timelineOf([], { startedAt: undefined, endedAt: undefined, now: 0 })).toEqual([]);
});

test('keeps steps of the same millisecond below their parent, in the order of the server', () => {
  const rows = timelineOf(
    [
      stepOf('/do/1/second/do/0/b', { sequence: 4, parent: '/do/1/second', to: 0 }),
      stepOf('/do/0/first/do/1/z', { sequence: 6, parent: '/do/0/first', to: 0 }),
      stepOf('/do/0/first/do/0/a', { sequence: 2, parent: '/do/0/first', to: 0 }),
      stepOf('/do/1/second', { sequence: 3, to: 0 }),
      stepOf('/do/0/first', { sequence: 1, to: 0 }),
    ],
    { startedAt: at, endedAt: at, now: MS_AT },
  );
  expect(rows.map(({ name, depth }) => [name, depth])).toEqual([
    ['first', 0],
    ['a', 1],
    ['z', 1],
    ['second', 0],
    ['b', 1],
  ]);
});

test('translates lines of the engine in script output, and leaves other output unchanged', () => {
  expect(EXECUTION_GERMAN.line('more than 1000 lines: the rest is left out')).toBe(
    'mehr als 1000 Zeilen: Der Rest ist ausgelassen',
  );
  expect(EXECUTION_GERMAN.line('tools.lookup, which the script did not await, failed: 404')).toBe(
    'tools.lookup, auf das das Skript nicht gewartet hat, ist fehlgeschlagen: 404',
  );
  expect(EXECUTION_GERMAN.line('checked 12 hosts')).toBe('checked 12 hosts');
});
