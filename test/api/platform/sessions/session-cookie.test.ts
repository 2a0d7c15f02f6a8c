import { expect, test } from 'vitest';
import { sessionCookie } from '#api/platform/sessions/session-cookie.ts';

test('over https the cookie is Secure and bound to the host; scripts and other sites never have it', () => {
  expect(sessionCookie({ secure: true })).toEqual({
    name: '__Host-trapline-session',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure: true },
  });
  expect(sessionCookie({ secure: false })).toEqual({
    name: 'trapline-session',
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure: false },
  });
});
