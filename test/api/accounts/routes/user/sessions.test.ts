import { expect, test } from 'vitest';
import { accountRoutes } from '#api/accounts/routes/auth/accounts.ts';
import { sessionCookie } from '#api/accounts/sessions/session-cookie.ts';
import { operatorGuard, runApp } from '../../../running-app.ts';
import { accountSystem, origin, PASSWORD } from '../../account-fixture.ts';

const system = await accountSystem();

async function runAccounts() {
  return runApp({
    deps: { guard: { ...operatorGuard(), authenticateSession: system.sessions.authenticate } },
    prepare: (server) =>
      accountRoutes(server, {
        database: system.database,
        accounts: system.accounts,
        sessionCookie: sessionCookie({ secure: false }),
      }),
  });
}

async function userWithSession(name: string) {
  const app = await runAccounts();
  const user = await system.addUser(name);
  const opened = await system.sessions.open(system.database, user, origin());
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(app.url + path, {
      method,
      headers: {
        cookie: `trapline-session=${opened.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return { user, opened, call };
}

test('sessions are listed and ended over HTTP', async () => {
  const { user, opened, call } = await userWithSession('ada');
  const second = await system.sessions.open(system.database, user, { ...origin('192.0.2.7'), userAgent: 'curl/8.5.0' });
  const { body } = await call('GET', '/api/user/sessions');
  expect(body.data).toHaveLength(2);
  expect(body.data).toContainEqual(expect.objectContaining({ id: opened.sessionId, current: true }));
  expect(body.data).toContainEqual(
    expect.objectContaining({ id: second.sessionId, current: false, ip: '192.0.2.7', userAgent: 'curl/8.5.0' }),
  );
  expect((await call('DELETE', `/api/user/sessions/${second.sessionId}`)).status).toBe(204);
  expect((await call('DELETE', `/api/user/sessions/${second.sessionId}`)).status).toBe(404);
  expect((await call('DELETE', '/api/user/sessions/no-id')).status).toBe(404);
  await system.sessions.open(system.database, user, origin());
  expect(await call('DELETE', '/api/user/sessions')).toEqual({ status: 200, body: { ended: 1 } });
});

test('a password is changed over HTTP, and each error names its field', async () => {
  const { call } = await userWithSession('bert');
  const change = (currentPassword: string, password: string) =>
    call('POST', '/api/user/password', { currentPassword, password });
  const wrong = await change('a wrong guess', 'quartz-ladder-moss-12');
  expect(wrong).toMatchObject({ status: 400, body: { issues: [{ field: 'currentPassword' }] } });
  const weak = await change(PASSWORD, 'password1234');
  expect(weak).toMatchObject({ status: 400, body: { issues: [{ field: 'password' }] } });
  const extra = await call('POST', '/api/user/password', { currentPassword: PASSWORD, password: 'x', role: 'admin' });
  expect(extra.status).toBe(400);
  expect(await change(PASSWORD, 'quartz-ladder-moss-12')).toEqual({ status: 200, body: { sessionsEnded: 0 } });
});

test('every route is rejected without a session', async () => {
  const app = await runAccounts();
  for (const [method, path] of [
    ['GET', '/api/user/sessions'],
    ['DELETE', '/api/user/sessions'],
    ['POST', '/api/user/password'],
  ] as const)
    expect((await fetch(app.url + path, { method })).status, path).toBe(401);
});
