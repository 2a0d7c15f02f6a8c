import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localPath } from '#schemas/api/return-path.ts';

const SITE = 'https://trapline.example.org';

describe('the return path of a sign-in', () => {
  test.each([
    ['/', '/'],
    ['/dashboard?from=1#top', '/dashboard?from=1#top'],
    ['/a/../b', '/b'],
    ['/a//b', '/a//b'],
    ['/ä b', '/%C3%A4%20b'],
    ['/agents/a/files?path=a%2Fb', '/agents/a/files?path=a%2Fb'],
    ['/agents/a%2Fb', '/agents/a%2Fb'],
    ['/detections?q=%5C%5Chost%00', '/detections?q=%5C%5Chost%00'],
    ['/detections?q=100%', '/detections?q=100%'],
    ['/sign-inside', '/sign-inside'],
    ['/@evil.example', '/@evil.example'],
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
    '\t//evil.example',
    '/%2f%2fevil.example',
    '/%2F/evil.example',
    '/%252f%252fevil.example',
    '/%25252f%25252fevil.example',
    '/%zz/%2e%2e//evil.example',
    '/%5cevil.example',
    '/%255c%255cevil.example',
    '/%09/evil.example',
    '/%0d%0aLocation:%20https://evil.example',
    '/\u0000/evil.example',
    '/\u0085/evil.example',
    '/dashboard\\..\\',
    'https:evil.example',
    'https:/evil.example',
    'data:text/html,x',
    'JaVaScRiPt:alert(1)',
    '@evil.example',
    '/'.padEnd(2_000, 'a'),
  ])('%j does not lead away', (wanted) => {
    expect(localPath(wanted)).toBeUndefined();
  });

  test.each([
    '/sign-in',
    '/sign-in/',
    '/Sign-In?returnTo=%2Fprofile',
    '/%73ign-in',
    '/%2573ign-in#x',
    '/x/../sign-in',
    '/register',
    '/forgot-password',
    '/auth/reset-password?token=x',
    '/api/auth/signin/idp',
    '/api/auth/sign-out',
  ])('%j would loop', (wanted) => {
    expect(localPath(wanted)).toBeUndefined();
  });

  test('an absolute URL is reduced to its path on our own origin only', () => {
    expect(localPath(`${SITE}/profile?tab=1#x`, SITE)).toBe('/profile?tab=1#x');
    for (const foreign of [
      `${SITE}/profile`.replace('https', 'http'),
      `${SITE}.evil.example/profile`,
      `${SITE}@evil.example/profile`,
      `${SITE}:8443/profile`,
      SITE.replace('//', '//ada:secret@'),
      `${SITE}//evil.example`,
      `${SITE}/sign-in`,
      `blob:${SITE}/profile`,
    ])
      expect(localPath(foreign, SITE), foreign).toBeUndefined();
    expect(localPath(`${SITE}/profile`)).toBeUndefined();
  });

  test('no accepted path leads to another site', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2f',
      '%25',
      '2f',
      '%5c',
      '%09',
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
        // Idempotent: a path that one component returns is accepted unchanged by the next.
        expect(localPath(path)).toBe(path);
        for (let level = path.replace(/[?#].*$/, ''), last = ''; level !== last; ) {
          expect(new URL(level, SITE).origin).toBe(SITE);
          last = level;
          level = level.replace(/%([0-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
