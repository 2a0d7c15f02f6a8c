import { expect, test } from 'vitest';
import { negotiateFormat } from '#api/http/negotiate-format.ts';

test.each([
  [undefined, undefined, 'json'],
  [undefined, '', 'json'],
  [undefined, '*/*', 'json'],
  [undefined, 'text/*', 'csv'],
  [undefined, 'Text/CSV; charset=utf-8', 'csv'],
  [undefined, 'application/json;q=0.5, application/x-ndjson', 'ndjson'],
  [undefined, 'application/json;q=0, text/csv', 'csv'],
  [undefined, 'text/html, application/xhtml+xml, */*;q=0.8', 'json'],
  ['ocsf', 'text/csv', 'ocsf'],
  ['v1', undefined, 'v1'],
])('format=%s, Accept: %s gives %s', (named, accept, expected) => {
  expect(negotiateFormat('events', named, accept).name).toBe(expected);
});

test.each([
  ['table', undefined, 'invalid_value'],
  ['JSON', undefined, 'invalid_value'],
  [undefined, 'image/png', 'not_acceptable'],
  [undefined, 'application/json;q=0', 'not_acceptable'],
])('format=%s, Accept: %s is refused', (named, accept, code) => {
  expect(() => negotiateFormat('events', named, accept)).toThrow(expect.objectContaining({ code }));
});
