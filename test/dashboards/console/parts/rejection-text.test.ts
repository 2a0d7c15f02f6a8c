import { expect, test } from 'vitest';
import { REJECTIONS_GERMAN } from '#dashboards/console/src/parts/rejection-text.de.ts';
import { rejectionText, rejectionWithDetail } from '#dashboards/console/src/parts/rejection-text.ts';
import { reject } from '#schemas/events/reject.ts';
import { REJECTIONS } from '#schemas/rejection-codes.ts';

test('shows a rejection by its reason and the expected value', () => {
  expect(Object.keys(REJECTIONS).filter((code) => rejectionText(code) === code)).toEqual([]);
  expect(rejectionWithDetail(reject('field_missing'))).toBe('Required field missing');
  expect(rejectionWithDetail(reject('wrong_type', '$.hostname', 'expected string or null'))).toBe(
    'Wrong type: expected string or null',
  );
  const message = `${REJECTIONS.schema_unknown.message} (schema id 5)`;
  expect(rejectionWithDetail({ code: 'schema_unknown', message })).toBe('Unknown schema: schema id 5');
  expect(rejectionWithDetail({ code: 'of_a_later_version', message: 'its own words' })).toBe('its own words');
});

test('translates details, and leaves those of a parser unchanged', () => {
  expect(REJECTIONS_GERMAN.detail('expected string or null')).toBe('erwartet: string oder null');
  expect(REJECTIONS_GERMAN.detail('70000 bytes, at most 65536')).toBe('70000 Byte, höchstens 65536');
  expect(REJECTIONS_GERMAN.detail('Unexpected token at position 3 (line 1)')).toBe(
    'Unexpected token at position 3 (line 1)',
  );
});
