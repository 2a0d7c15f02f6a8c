import { expect, test } from 'vitest';
import { feedLine } from '#dashboards/console/src/pages/dashboard/feed-line.ts';
import { goOn, MAX_LINES, NO_LINES, takeIn } from '#dashboards/console/src/pages/dashboard/feed-lines.ts';

const AT = '2026-03-01T08:15:30.000Z';

function line(number: number) {
  const read = feedLine(
    JSON.stringify({ type: 'execution', at: AT, kind: 'agent', id: 'exec_1', status: 'failed' }),
    number,
  );
  if (read === undefined) throw new Error('no line');
  return read;
}

test('the newest stand first, and no more than the cap', () => {
  const lines = takeIn(
    NO_LINES,
    Array.from({ length: MAX_LINES + 5 }, (_, index) => line(index)),
    false,
  );
  expect(lines.shown).toHaveLength(MAX_LINES);
  expect(lines.shown[0]?.number).toBe(MAX_LINES + 4);
});

test('what comes while paused waits, is counted, and is shown first when it goes on', () => {
  const shown = takeIn(NO_LINES, [line(1)], false);
  const paused = takeIn(takeIn(shown, [line(2)], true), [line(3)], true);
  expect(paused).toMatchObject({ shown: [{ number: 1 }], missed: 2 });
  expect(goOn(paused)).toMatchObject({ shown: [{ number: 3 }, { number: 2 }, { number: 1 }], waiting: [], missed: 0 });
});

test('each kind of message has its words; what goes wrong is marked; an unknown kind is passed over', () => {
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
