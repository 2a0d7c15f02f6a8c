import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkPath, clashKey, findClash } from '#api/executions/files/safe-path.ts';

describe('paths', () => {
  it.each([
    '',
    '.',
    '..',
    '../x',
    'a/../b',
    'a/./b',
    '/etc/passwd',
    '//host/share',
    'a//b',
    'a/',
    'a\\b',
    '..\\x',
    'C:\\x',
    'C:x',
    'nul\0',
    'a\nb',
    'con',
    'a/NUL.txt',
    'LPT1',
    'COM¹.log',
    'name.',
    'name ',
    ' name',
    'a/ /b',
    'what?',
    'pipe|',
    '．．/x',
    'a／b',
    '‥/x',
    'a\u202etxt.exe',
    '\ud800',
    'a'.repeat(256),
    `${'a/'.repeat(16)}b`,
    `${'a'.repeat(200)}/${'b'.repeat(200)}/${'c'.repeat(200)}`,
  ])('rejects %j', (path) => {
    expect(checkPath(path).ok).toBe(false);
  });

  it.each([
    'AGENT.md',
    'a/b/c.json',
    '.hidden',
    'ünïcode/日本語.txt',
    'a b.txt',
    'console.log',
    'a..b',
    '😀.png',
    'x'.repeat(255),
  ])('accepts %j', (path) => {
    expect(checkPath(path)).toEqual({ ok: true, path });
  });

  it('normalizes names: both spellings of é are one file', () => {
    expect(checkPath('e\u0301.txt')).toEqual({ ok: true, path: '\u00e9.txt' });
  });

  it('accepted paths never leave a folder in any Unicode form, and stay the same when normalized again', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'B', '.', '/', '\\', ' ', '\0', '．', '／', '‥', 'é', 'e\u0301', 'ﬁ', ':', '\u202e'),
      maxLength: 12,
    });
    fc.assert(
      fc.property(text, (given) => {
        const checked = checkPath(given);
        if (!checked.ok) return;
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
          const segments = checked.path.normalize(form).split('/');
          expect(segments.every((segment) => !['', '.', '..'].includes(segment))).toBe(true);
        }
        expect(checkPath(checked.path)).toEqual(checked);
      }),
      { numRuns: 3000 },
    );
  });

  it('finds names that clash by case, by Unicode form, or as file and folder', () => {
    expect(findClash(['a', 'b', 'c/d', 'c/e'])).toBe(undefined);
    expect(findClash(['README.md', 'readme.MD'])).toBe('readme.MD');
    expect(findClash(['ﬁle', 'file'])).toBe('file');
    expect(findClash(['a', 'a/b'])).toBe('a/b');
    expect(findClash(['a/b/c', 'A/b'])).toBe('A/b');
    expect(clashKey('K\u212a')).toBe('kk');
  });
});
