import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unifiedDiff } from '#api/workflows/definitions/diff.ts';

const diff = (before: string, after: string) => unifiedDiff({ name: 'a', text: before }, { name: 'b', text: after });

/** Applies a diff to a text with `patch`, without fuzz. */
function patched(text: string, patch: string): string {
  const lines = text.split('\n');
  const result: string[] = [];
  let at = 0;
  let ended = text.endsWith('\n') || text === '';
  const source = text.endsWith('\n') ? lines.slice(0, -1) : text === '' ? [] : lines;
  let last = '';
  for (const line of patch.split('\n').slice(2)) {
    const head = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (head !== null) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1);
      while (at < start) result.push(source[at++] ?? '');
    } else if (line.startsWith(' ')) {
      expect(source[at]).toBe(line.slice(1));
      result.push(source[at++] ?? '');
      ended = true;
    } else if (line.startsWith('-')) expect(source[at++]).toBe(line.slice(1));
    else if (line.startsWith('+')) {
      result.push(line.slice(1));
      ended = true;
    } else if (line.startsWith('\\') && last !== '-') ended = false;
    last = line[0] ?? last;
  }
  if (at < source.length) ended = text.endsWith('\n');
  while (at < source.length) result.push(source[at++] ?? '');
  return result.join('\n') + (ended && result.length > 0 ? '\n' : '');
}

test('shows a change with three lines around it', () => {
  const text = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  expect(diff(text, text)).toBe('');
  expect(diff(text, text.replace('e', 'E'))).toBe('--- a\n+++ b\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n');
  expect(diff('', 'x\n')).toBe('--- a\n+++ b\n@@ -0,0 +1 @@\n+x\n');
  expect(diff('x\n', 'x')).toContain('\\ No newline at end of file');
});

test('applying the diff gives the other text', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 })
    .map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => patched(before, diff(before, after)) === after),
    { numRuns: 300 },
  );
});

test('compares long texts without common lines', () => {
  const lines = (letter: string) => Array.from({ length: 50_000 }, (_, at) => `${letter}${at}\n`).join('');
  expect(diff(lines('a'), lines('b')).split('\n').length).toBeGreaterThan(100_000);
});
