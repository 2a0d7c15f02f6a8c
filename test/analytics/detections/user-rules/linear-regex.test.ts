import { expect, test } from 'vitest';
import { compileRegex } from '#analytics/detections/user-rules/linear-regex.ts';
import { parseRegex } from '#analytics/detections/user-rules/regex-syntax.ts';

const matches = (pattern: string, text: string, ignoreCase = false) =>
  compileRegex(parseRegex(pattern, { ignoreCase }), 2_000).test(text);

test('characters beyond ASCII count once, and only ASCII letters are case-insensitive', () => {
  expect(matches('^.ä.$', 'xä😀')).toBe(true);
  expect(matches('^[ä-ü😀]+$', 'äö😀ü')).toBe(true);
  expect(matches('^[^ä]$', 'ä')).toBe(false);
  expect(matches('^K$', 'k', true)).toBe(true);
  expect(matches('^k$', '\u212a', true)).toBe(false);
  expect(matches('^Ä$', 'ä', true)).toBe(false);
});

test('anchors match the text and not its lines', () => {
  expect(matches('^b', 'a\nb')).toBe(false);
  expect(matches('a$', 'a\nb')).toBe(false);
  expect(matches('a$', 'a\n')).toBe(false);
  expect(matches('a.b', 'a\nb')).toBe(false);
});

test('an expression whose states exceed the memory of its cache still matches', () => {
  const text = 'ab'.repeat(400);
  expect(matches('a.{99}c.{20}a', text)).toBe(false);
  expect(matches('a.{99}c.{20}a', `${text.slice(0, 200)}c${text}`)).toBe(true);
});
