import { expect, test } from 'vitest';
import { feedLine } from '#dashboards/console/src/pages/dashboard/feed-line.ts';
import { addLines, MAX_LINES, NO_LINES, resume } from '#dashboards/console/src/pages/dashboard/feed-lines.ts';

const AT = '2026-03-01T08:15:30.000Z';

function line(number: number) {
  const read = feedLine(
    JSON.stringify({ type: 'execution', at: AT, kind: 'agent', id: 'exec_1', status: 'failed' }),
    number,
  );
  if (read === undefined) throw new Error('no line');
  return read;
}

test('keeps a limited number of lines, newest first', () => {
  const lines = addLines(
    NO_LINES,
    Array.from({ length: MAX_LINES + 5 }, (_, index) => line(index)),
    false,
  );
  expect(lines.shown).toHaveLength(MAX_LINES);
  expect(lines.shown[0]?.number).toBe(MAX_LINES + 4);
});

test('counts lines that arrive while paused, and shows them first after resuming', () => {
  const shown = addLines(NO_LINES, [line(1)], false);
  const paused = addLines(addLines(shown, [line(2)], true), [line(3)], true);
  expect(paused).toMatchObject({ shown: [{ number: 1 }], missed: 2 });
  expect(resume(paused)).toMatchObject({
    shown: [{ number: 3 }, { number: 2 }, { number: 1 }],
    waiting: [],
    missed: 0,
  });
});

test('has a text for each type of message, marks errors and ignores unknown types', () => {
  const read = (message: object) => feedLine(JSON.stringify({ at: AT, ...message }), 1);
  expect(
    read({
      type: 'request',
      method: 'GET',
      path: '/api/hosts',
      status: 403,
      durationMs: 3.7,
      ip: '::1',
      actor: 'user:1',
    }),
  ).toMatchObject({ text: 'GET /api/hosts 403 in 4 ms, ::1, user:1', bad: true });
  expect(
    read({ type: 'request', method: 'GET', path: '/', status: 200, durationMs: 1, ip: '::1', actor: 'a' })?.bad,
  ).toBe(false);
  expect(read({ type: 'dropped', count: 12 })?.text).toMatch(/^12 messages/);
  expect(read({ type: 'weather' })).toBeUndefined();
  expect(feedLine('null', 1)).toBeUndefined();
});
