import { expect, test } from 'vitest';
import type { RecordKind } from '#analytics/formats/record.ts';
import { negotiateFormat } from '#api/http/responses/negotiate-format.ts';

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
  expect(negotiateFormat('events', named, accept, { whole: true }).name).toBe(expected);
});

test.each([
  ['table', undefined, 'invalid_value'],
  ['JSON', undefined, 'invalid_value'],
  [undefined, 'image/png', 'not_acceptable'],
  [undefined, 'application/json;q=0', 'not_acceptable'],
])('rejects format=%s, Accept: %s', (named, accept, code) => {
  expect(() => negotiateFormat('events', named, accept, { whole: true })).toThrow(expect.objectContaining({ code }));
});

test('rejects an unknown format of a list with all its formats, including Parquet if available', () => {
  const refused = (kind: RecordKind, whole: boolean) => {
    try {
      return negotiateFormat(kind, 'xls', undefined, { whole }).name;
    } catch (error) {
      return (error as Error).message;
    }
  };
  expect(refused('events', true)).toContain('must be one of json, ndjson, csv, v1, cef, ecs, ocsf, parquet');
  expect(refused('events', false)).toContain('must be one of json, ndjson, csv, v1, cef, ecs, ocsf');
  expect(refused('dead-letters', true)).not.toContain('parquet');
});
