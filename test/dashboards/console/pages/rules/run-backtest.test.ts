import { expect, test } from 'vitest';
import { parseEvent } from '#dashboards/console/src/pages/rules/run-backtest.ts';

test('events of a back-test have a name and JSON; comments and unnamed data are left out', () => {
  expect(parseEvent('event: position\ndata: {"position":2}')).toEqual({ event: 'position', data: { position: 2 } });
  expect(parseEvent(': waiting')).toBeUndefined();
  expect(parseEvent('data: {}')).toBeUndefined();
});
