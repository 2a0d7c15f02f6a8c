import { expect, test } from 'vitest';
import { LIST_QUERIES } from '#api/http/queries/list-query.ts';

// Regression: both got "must be an RFC 3339 date-time", although the first one is a valid date-time.
test.each([
  ['9999-12-31T23:59:59Z', 'the timestamp lies outside 1900-01-01 to 2262-04-11'],
  ['2026-02-30T00:00:00Z', 'must be an RFC 3339 date-time, such as 2026-03-01T12:00:00Z, or now()-7d'],
])('a list up to %s reports the error', (to, message) => {
  const { error } = LIST_QUERIES.events.safeParse({ to });
  expect(error?.issues.map(({ path, message }) => ({ path, message }))).toEqual([{ path: ['to'], message }]);
});

test('a list from now()-1h begins an hour ago', () => {
  const { from } = LIST_QUERIES.events.parse({ from: 'now()-1h' });
  const seconds = Date.now() / 1000 - ((from?.seconds ?? 0) + (from?.nanos ?? 0) / 1e9);
  expect(Math.round(seconds / 60)).toBe(60);
});

test('filters dead letters by several codes, topics and states', () => {
  const query = { code: 'field_missing,wrong_type', topic: 'a,b', status: 'open,redriven' };
  expect(LIST_QUERIES['dead-letters'].parse(query)).toMatchObject({
    code: ['field_missing', 'wrong_type'],
    status: ['open', 'redriven'],
  });
});
