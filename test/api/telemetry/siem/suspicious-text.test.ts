import fc from 'fast-check';
import { expect, test } from 'vitest';
import { looksLikeInjection, looksLikeTraversal, suspiciousNames } from '#api/telemetry/siem/suspicious-text.ts';

test.each([
  '/api/uploads?filename=../../etc/passwd',
  '/api/uploads?filename=..%2f..%2fsecret.txt',
  '/api/uploads?filename=%252e%252e%252fsecret.txt',
  '/api/uploads?filename=..\\..\\windows\\win.ini',
  '/..%c0%af..%c0%afetc/passwd',
  '/api/uploads?filename=photo.png%00.exe',
  '/.git/config',
  '/.env',
  '/static/../../../proc/self/environ',
])('traversal: %s', (url) => {
  expect(looksLikeTraversal(url)).toBe(true);
});

test.each([
  "/api/codehost/user?username=a'%20OR%20'1'='1",
  '/api/codehost/user?username=1;DROP%20TABLE%20users',
  '/api/codehost/user?username[$ne]=x',
  '/api/codehost/user?username%5B%24gt%5D=',
  '/api/codehost/user?__proto__=1',
  '/api/codehost/user?username[__proto__][admin]=1',
  '/api/codehost/user?username=%3Cscript%3Ealert(1)%3C/script%3E',
  '/api/codehost/user?username=%24{jndi:ldap://x/a}',
  '/api/codehost/user?username={{7*7}}',
  '/api/codehost/user?username=1+UNION+SELECT+password+FROM+users',
  '/api/codehost/user?username=x|cat+/x',
])('injection: %s', (url) => {
  expect(looksLikeInjection(url)).toBe(true);
});

test.each([
  '/api/codehost/repos?username=ada&page=2&perPage=30&sort=updated',
  '/api/events?from=2026-01-01T00:00:00Z&q=nginx%20worker&hostname=web-1.example.org',
  '/api/detections/det_0123456789abcdef0123456789abcdef',
  '/api/dead-letters/events.v1~3~42',
  '/api/uploads?filename=report.v2.pdf',
  '/auth/reset-password?token=abc-DEF_123',
  "/api/events?q=O'Brien",
  '/api/views/index?slug=docs/getting-started...more',
  '/api/auth/callback/idp?code=4/0Ab_5q&state=a.b-c&scope=openid%20email',
])('neither: %s', (url) => {
  expect([looksLikeTraversal(url), looksLikeInjection(url)]).toEqual([false, false]);
});

test('checks names of a body at any depth, but not values', () => {
  expect(suspiciousNames({ email: { $gt: '' } })).toEqual({ operators: true, privileges: false });
  expect(suspiciousNames({ a: [{ b: { role: 'admin' } }] })).toEqual({ operators: false, privileges: true });
  expect(suspiciousNames({ password: "' OR '1'='1 $ne role" })).toEqual({ operators: false, privileges: false });
  expect(suspiciousNames(Buffer.from('{"role":1}'))).toEqual({ operators: false, privileges: false });
  expect(suspiciousNames(undefined)).toEqual({ operators: false, privileges: false });
});

test('no text causes an exception', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 5_000 }), fc.webUrl(), (text, url) => {
      looksLikeTraversal(text);
      looksLikeInjection(text);
      looksLikeInjection(url + text);
    }),
    { numRuns: 200 },
  );
  for (const piece of ['`', "' ", '{{', '%', '../', '$(', 'a=&', '<', '${', '|']) {
    const long = piece.repeat(16_000);
    looksLikeTraversal(long);
    looksLikeInjection(long);
  }
});
