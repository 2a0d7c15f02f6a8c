import { expect, test } from 'vitest';
import { parseEvent } from '#dashboards/console/src/pages/rules/run-backtest.ts';

test('parses named events with JSON, and ignores comments and unnamed data', () => {
  expect(parseEvent('event: position\ndata: {"position":2}')).toEqual({ event: 'position', data: { position: 2 } });
  expect(parseEvent(': waiting')).toBeUndefined();
  expect(parseEvent('data: {}')).toBeUndefined();
});
