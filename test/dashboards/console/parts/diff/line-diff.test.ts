import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff, unifiedLines } from '#dashboards/console/src/parts/diff/line-diff.ts';

const side = (lines: ReturnType<typeof lineDiff>, without: string) =>
  lines.filter(({ kind }) => kind !== without).map(({ text }) => text);

test('both texts can be restored from their difference', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = lineDiff(before, after);
      expect(side(lines, 'added').join('\n')).toBe(before);
      expect(side(lines, 'removed').join('\n')).toBe(after);
    }),
  );
});

test('marks only differing lines as different', () => {
  expect(lineDiff('a\nb\nc', 'a\nx\nc').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
    'same a',
    'removed b',
    'added x',
    'same c',
  ]);
});

test('marks texts that are too long to compare as replaced', () => {
  const many = (word: string) => Array.from({ length: 1_500 }, (_, at) => `${word} ${at}`).join('\n');
  expect(lineDiff(many('a'), many('b'))).toHaveLength(3_000);
});

test('parses a unified diff with its positions and without its header', () => {
  const lines = unifiedLines(
    '--- a@1\n+++ a@2\n@@ -1,2 +1,2 @@\n same\n--- not a header\n+new\n\\ No newline at end of file\n',
  );
  expect(lines).toEqual([
    { kind: 'place', text: '@@ -1,2 +1,2 @@' },
    { kind: 'same', text: 'same' },
    { kind: 'removed', text: '-- not a header' },
    { kind: 'added', text: 'new' },
    { kind: 'place', text: '\\ No newline at end of file' },
  ]);
});
