import { expect, test } from 'vitest';
import { clearedSessionCookieLine, sessionCookie, sessionCookieLine } from '#api/accounts/sessions/session-cookie.ts';
import { presentedSession } from '#api/http/credentials.ts';

test('over https the cookie is Secure and bound to the host, and hidden from scripts and other sites', () => {
  expect(sessionCookie({ secure: true })).toEqual({
    name: '__Host-trapline-session',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure: true },
  });
  expect(sessionCookie({ secure: false })).toEqual({
    name: 'trapline-session',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure: false },
  });
});

test('sets these Set-Cookie headers', () => {
  const cookie = sessionCookie({ secure: true });
  expect(sessionCookieLine(cookie, 'a.b.c', new Date('2026-01-02T03:04:05Z'))).toBe(
    '__Host-trapline-session=a.b.c; Path=/; HttpOnly; SameSite=Lax; Secure; Expires=Fri, 02 Jan 2026 03:04:05 GMT',
  );
  expect(clearedSessionCookieLine(sessionCookie({ secure: false }))).toBe(
    'trapline-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
  );
});

test.each([true, false])('the guard reads the cookie by its name, secure: %s', (secure) => {
  const { name } = sessionCookie({ secure });
  expect(presentedSession(`other=1; ${name}=a.b.c`, name)).toBe('a.b.c');
});

test('over https, a session cookie with the plain name, which a neighbouring host can set, is ignored', () => {
  const { name } = sessionCookie({ secure: true });
  expect(presentedSession('trapline-session=planted', name)).toBeUndefined();
});
