import { expect, test } from 'vitest';
import { LIST_QUERIES } from '#api/http/queries/list-query.ts';
import { valuesOf } from '#api/http/queries/query-list.ts';

test.each([
  ['web-1', ['web-1']],
  ['web-1,web-2', ['web-1', 'web-2', 'web-1,web-2']],
  ['/srv/a\\,b', ['/srv/a,b', '/srv/a\\,b']],
  ['a,,b,a', ['a', 'b', 'a,,b,a']],
  ['back\\slash', ['back\\slash']],
])('%s has the values %j, and is canonical', (text, values) => {
  expect(valuesOf(text)).toEqual(values);
});

test('lists accept one value, several, and values to exclude', () => {
  expect(
    LIST_QUERIES.detections.parse({
      severity: 'high,critical,high',
      rule: 'fleet-scan',
      verdict: 'null,benign',
      'exclude.hostname': 'web-1',
      'exclude.status': 'closed',
    }),
  ).toEqual({
    severity: ['high', 'critical'],
    rule: ['fleet-scan'],
    verdict: ['null', 'benign'],
    'exclude.hostname': ['web-1'],
    'exclude.status': ['closed'],
  });
});

test('accepts the maximum number of values', () => {
  const hostname = Array.from({ length: 200 }, (_, i) => `h${i}`).join(',');
  expect(LIST_QUERIES.detections.safeParse({ hostname }).success).toBe(true);
});

test.each([
  [{ severity: 'high,terrible' }, 'must be one or more of info, low, medium, high, critical, joined by commas'],
  [{ 'exclude.severity': 'high,' }, 'must be one or more of info, low, medium, high, critical, joined by commas'],
  [{ rule: 'fleet-scan,fleet-scam' }, 'there is no rule fleet-scam: must be one of'],
  [
    { hostname: Array.from({ length: 201 }, (_, i) => `h${i}`).join(',') },
    'must have at most 200 values, joined by commas',
  ],
])('rejects %j with the expected values', (query, message) => {
  const { error } = LIST_QUERIES.detections.safeParse(query);
  expect(error?.issues[0]?.path).toEqual(Object.keys(query));
  expect(error?.issues[0]?.message).toContain(message);
});
