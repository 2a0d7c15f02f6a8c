import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localPath } from '#api/platform/oauth/return-path.ts';

const SITE = 'https://trapline.example.org';

describe('where a sign-in returns to', () => {
  test.each([
    ['/', '/'],
    ['/dashboard?from=1#top', '/dashboard?from=1#top'],
    ['/a/../b', '/b'],
    ['/a//b', '/a//b'],
    ['/ä b', '/%C3%A4%20b'],
  ])('%j stays here', (wanted, path) => {
    expect(localPath(wanted)).toBe(path);
  });

  test.each([
    '',
    'dashboard',
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
    ' //evil.example',
    '/'.padEnd(2_000, 'a'),
  ])('%j does not lead away', (wanted) => {
    expect(localPath(wanted)).toBeUndefined();
  });

  test('nothing that is let through leads to another site', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '\t',
      '\r',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
      ' ',
    );
    const wanted = fc.oneof(
      fc.array(pieces, { maxLength: 8 }).map((parts) => `/${parts.join('')}`),
      fc.webUrl(),
      fc.string({ unit: 'binary' }).map((text) => `/${text}`),
    );
    fc.assert(
      fc.property(wanted, (text) => {
        const path = localPath(text);
        if (path === undefined) return;
        expect(new URL(path, SITE).origin).toBe(SITE);
        expect(path).toMatch(/^\/(?!\/)[\x21-\x7e]*$/);
      }),
      { numRuns: 1_000 },
    );
  });
});
