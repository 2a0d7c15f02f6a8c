import { TOTP } from 'otpauth';
import { expect, onTestFinished, test } from 'vitest';
import { accountRoutes } from '#api/accounts/routes/auth/accounts.ts';
import { passkeySignInRoutes } from '#api/accounts/routes/auth/second-factor/passkey.ts';
import { secondStepRoutes } from '#api/accounts/routes/auth/second-factor/second-step.ts';
import { passkeyRoutes } from '#api/accounts/routes/user/passkeys.ts';
import { ownFactorRoutes } from '#api/accounts/routes/user/second-factor.ts';
import { sessionCookie } from '#api/accounts/sessions/session-cookie.ts';
import { createJobWorker } from '#api/jobs/worker.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { createAuthenticator } from '#test/support/authenticator.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { ADMIN_KEY, operatorGuard, runApp } from '../../../running-app.ts';
import { accountSystem, BASE_URL, origin, PASSWORD } from '../../account-fixture.ts';

const system = await accountSystem();
let addresses = 0;

/** The app with accounts. Its requests come from an address that no other test uses. */
async function runAccounts({ secure = false, accounts = system } = {}) {
  addresses += 1;
  const address = `192.0.2.${addresses}`;
  const running = await runApp({
    deps: {
      guard: {
        ...operatorGuard(),
        clientAddress: () => address,
        authenticateSession: accounts.sessions.authenticate,
      },
    },
    prepare(app) {
      const cookie = { sessionCookie: sessionCookie({ secure }) };
      accountRoutes(app, { database: system.database, accounts: accounts.accounts, ...cookie });
      secondStepRoutes(app, { ...accounts.secondFactors, ...cookie });
      ownFactorRoutes(app, accounts.secondFactors);
      passkeyRoutes(app, accounts.secondFactors);
      passkeySignInRoutes(app, { ...accounts.secondFactors, ...cookie });
    },
  });
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(running.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };
  return { ...running, call, post: (path: string, body?: unknown, headers = {}) => call('POST', path, body, headers) };
}

function cookieOf(headers: Headers): string {
  return headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Removes the parts of a response that may differ without revealing anything. */
function comparable({ status, headers, text }: { status: number; headers: Headers; text: string }) {
  const names = [...headers.keys()].filter((name) => !['date', 'x-request-id', 'keep-alive'].includes(name));
  return {
    status,
    headers: names.map((name) => [name, headers.get(name)]),
    text: text.replace(/"requestId":"[^"]+"/, '"requestId":""'),
  };
}

test('leads from the mailed code to a session, through a worker', async () => {
  const { call, post } = await runAccounts();
  const worker = createJobWorker({
    database: system.database,
    handlers: { mail: { handle: system.mailJob } },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  onTestFinished(() => worker.stop());
  const email = 'ada@example.org';
  const sent = await post('/api/auth/send-otp', { email });
  expect(sent.status).toBe(200);
  expect(sent.json()).toEqual({ message: expect.any(String) });
  const mail = await waitFor('the mail', () => system.mails.find(({ to }) => to === email));
  const otp = /^\d{6}$/m.exec(mail.text)?.[0];
  const registered = await post('/api/auth/verify-otp', { username: 'ada', email, password: PASSWORD, otp });
  expect(registered.status).toBe(201);
  expect(registered.json()).toMatchObject({
    apiKey: expect.any(String),
    apiKeyId: expect.any(String),
    user: { username: 'ada', email, role: 'user', emailVerified: true },
  });
  const signedIn = await post('/api/auth/callback/credentials', { email: 'ADA@example.org', password: PASSWORD });
  expect(signedIn.status).toBe(200);
  expect(signedIn.headers.getSetCookie()[0]).toMatch(
    /^trapline-session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Expires=/,
  );
  const cookie = cookieOf(signedIn.headers);
  const profile = await call('GET', '/api/user/data', undefined, { cookie });
  expect(profile.json()).toEqual(signedIn.json().user);
  expect(Object.keys(profile.json()).sort()).toEqual(
    ['createdAt', 'email', 'emailVerified', 'id', 'image', 'role', 'username'].sort(),
  );
  const out = await post('/api/auth/sign-out', undefined, { cookie });
  expect(out.status).toBe(204);
  expect(out.headers.getSetCookie()[0]).toMatch(/^trapline-session=; .*Max-Age=0/);
  expect((await call('GET', '/api/user/data', undefined, { cookie })).status).toBe(401);
  expect((await post('/api/auth/sign-out', undefined, { cookie })).status).toBe(401);
});

test('over https the cookie is Secure and bound to the host', async () => {
  const { post } = await runAccounts({ secure: true });
  await system.addUser('https');
  const { headers } = await post('/api/auth/callback/credentials', { email: 'https@example.org', password: PASSWORD });
  expect(headers.getSetCookie()[0]).toMatch(
    /^__Host-trapline-session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; /,
  );
});

test('POST /api/auth/send-otp and forgot-password: the same bytes for every caller', async () => {
  const { post } = await runAccounts();
  await system.addUser('registered');
  for (const path of ['/api/auth/send-otp', '/api/auth/forgot-password']) {
    const known = await post(path, { email: 'registered@example.org' });
    const unknown = await post(path, { email: 'unregistered@example.org' });
    expect(comparable(known)).toEqual(comparable(unknown));
  }
  await system.deliver();
});

test('POST /api/auth/verify-otp: a wrong code, none at all and a registered address get the same 400', async () => {
  const { post } = await runAccounts();
  await system.addUser('there');
  await system.codeFor('pending@example.org');
  const answers = await Promise.all(
    ['pending', 'never-asked', 'there'].map((name) =>
      post('/api/auth/verify-otp', {
        username: 'newcomer',
        email: `${name}@example.org`,
        password: PASSWORD,
        otp: '000000',
      }),
    ),
  );
  for (const answer of answers) {
    expect(answer.status).toBe(400);
    expect(comparable(answer)).toEqual(comparable(answers[0] as (typeof answers)[number]));
  }
});

test('POST /api/auth/verify-otp: a taken username is rejected with 409', async () => {
  const { post } = await runAccounts();
  await system.addUser('occupied');
  const otp = await system.codeFor('late@example.org');
  const { status, json } = await post('/api/auth/verify-otp', {
    username: 'Occupied',
    email: 'late@example.org',
    password: PASSWORD,
    otp,
  });
  expect(status).toBe(409);
  expect(json()).toMatchObject({ issues: [{ field: 'username', code: 'conflict' }] });
});

test('POST /api/auth/callback/credentials: unknown, wrong, locked and disabled get the same 401', async () => {
  const { post } = await runAccounts();
  for (const name of ['wrong', 'locked', 'barred']) await system.addUser(name);
  const { database } = system;
  const lockUntil = new Date(Date.now() + 60_000);
  await database.updateTable('users').set({ lockUntil }).where('username', '=', 'locked').execute();
  await database.updateTable('users').set({ disabled: true }).where('username', '=', 'barred').execute();
  const attempts = [
    ['unknown', PASSWORD],
    ['wrong', 'not the password'],
    ['locked', PASSWORD],
    ['barred', PASSWORD],
  ];
  const answers = [];
  for (const [name, password] of attempts)
    answers.push(await post('/api/auth/callback/credentials', { email: `${name}@example.org`, password }));
  for (const answer of answers) {
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(comparable(answer)).toEqual(comparable(answers[0] as (typeof answers)[number]));
  }
});

test('Login limits answer 429 with Retry-After', async () => {
  const { post } = await runAccounts();
  const statuses = [];
  for (let attempt = 0; attempt < 11; attempt += 1) {
    const answer = await post('/api/auth/callback/credentials', { email: 'flood@example.org', password: 'wrong' });
    statuses.push(answer.status);
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(500);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
});

test('Rule 3: auth handlers use strict schemas; unknown fields such as role are rejected', async () => {
  const { post } = await runAccounts();
  const email = 'eve@example.org';
  const bodies: [string, object][] = [
    ['/api/auth/send-otp', { email }],
    ['/api/auth/verify-otp', { username: 'eve', email, password: PASSWORD, otp: '123456' }],
    ['/api/auth/forgot-password', { email }],
    ['/api/auth/reset-password', { token: 'x', password: PASSWORD }],
    ['/api/auth/callback/credentials', { email, password: PASSWORD }],
  ];
  for (const [path, body] of bodies) {
    for (const extra of [{ role: 'admin' }, { disabled: false }, { $where: '1' }]) {
      const { status, json } = await post(path, { ...body, ...extra });
      expect(status, path).toBe(400);
      expect(json().issues[0].field).toBe(Object.keys(extra)[0]);
    }
    for (const value of [{ $ne: null }, ['x'], 1, null, '']) {
      const [field = ''] = Object.keys(body);
      expect((await post(path, { ...body, [field]: value })).status, `${path} ${JSON.stringify(value)}`).toBe(400);
    }
  }
});

test('Rule 2: rejects a POST that is not JSON: a form of another site cannot sign a browser in', async () => {
  const { post } = await runAccounts();
  const body = JSON.stringify({ email: 'ada@example.org', password: PASSWORD });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const { status } = await post('/api/auth/callback/credentials', body, { 'content-type': type });
    expect(status, type).toBe(415);
  }
  expect((await post('/api/auth/callback/credentials', '{"email":')).status).toBe(400);
});

test('an error does not repeat the content of the request', async () => {
  const { post } = await runAccounts();
  const { status, text } = await post('/api/auth/verify-otp', {
    username: 'sly fox',
    email: 'sly@example.org',
    password: 'short-s3cret',
    otp: '12345x',
  });
  expect(status).toBe(400);
  for (const literal of ['sly fox', 'sly@example.org', 'short-s3cret', '12345x']) expect(text).not.toContain(literal);
});

test('POST /api/auth/reset-password: rejects a reused token with 400, and a weak password names its field', async () => {
  const { post } = await runAccounts();
  await system.addUser('forgetful');
  const token = await system.resetTokenFor('forgetful@example.org');
  const weak = await post('/api/auth/reset-password', { token, password: 'password1234' });
  expect([weak.status, weak.json().issues[0].field]).toEqual([400, 'password']);
  const password = 'quartz-ladder-moss-12';
  const valid = async () => (await post('/api/auth/reset-password/check', { token })).json();
  expect(await valid()).toEqual({ valid: true });
  expect((await post('/api/auth/reset-password', { token, password })).status).toBe(200);
  expect(await valid()).toEqual({ valid: false });
  const again = await post('/api/auth/reset-password', { token, password });
  expect([again.status, again.json().issues[0].field]).toEqual([400, 'token']);
});

test('POST /api/user/update: accepts username and image only, and rejects role or password', async () => {
  const { post } = await runAccounts();
  const user = await system.addUser('grace');
  await system.addUser('hopper');
  const { token } = await system.sessions.open(system.database, user, origin());
  const update = (body: unknown) => post('/api/user/update', body, { cookie: `trapline-session=${token}` });
  const image = 'https://example.org/grace.png';
  expect((await update({ username: 'Grace', image })).json()).toMatchObject({ username: 'Grace', image });
  expect((await update({ image: null })).json()).toMatchObject({ username: 'Grace', image: null });
  expect((await update({ username: 'hopper' })).status).toBe(409);
  for (const refused of [
    { role: 'admin' },
    { password: PASSWORD },
    { email: 'other@example.org' },
    { username: 'a b' },
    { username: 'x' },
    { image: 'http://example.org/x.png' },
    { image: 'AAA' },
    { image: 'javascript:alert(1)' },
    { image: 'data:image/png;base64,AAAA' },
    { image: 'https://user:password@example.org/x.png' },
    { image: `https://example.org/${'x'.repeat(2048)}` },
    { image: 'https://example.org/\0.png' },
    { image: 7 },
  ])
    expect((await update(refused)).status, JSON.stringify(refused)).toBe(400);
  expect((await system.user(user.email)).role).toBe('user');
  expect((await post('/api/user/update', { username: 'unknown' })).status).toBe(401);
});

test('GET /auth/reset-password is a page without inline script, caching and referrer', async () => {
  const { call } = await runAccounts();
  const page = await call('GET', '/auth/reset-password?token=abc');
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('cache-control')).toBe('no-store');
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
  expect(page.text).not.toContain('abc');
  expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|style=/);
  for (const [, file = ''] of page.text.matchAll(/<(?:link rel="stylesheet"|script) (?:src|href)="([^"]+)"/g)) {
    const asset = await call('GET', file);
    expect(asset.status, file).toBe(200);
    expect(asset.headers.get('content-type')).toMatch(/^text\/(?:javascript|css); charset=utf-8$/);
    expect(asset.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('the routes are described', async () => {
  const { url } = await runAccounts();
  const response = await fetch(`${url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } });
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, { responses: object }>> };
  for (const path of [
    'send-otp',
    'verify-otp',
    'forgot-password',
    'reset-password',
    'callback/credentials',
    'sign-out',
  ])
    expect(Object.keys(paths[`/api/auth/${path}`] ?? {})).toContain('post');
  expect(Object.keys(paths['/api/user/data'] ?? {})).toEqual(['get']);
  expect(Object.keys(paths['/auth/reset-password']?.get?.responses ?? {})).toEqual(['200', '429', '431', '503']);
});

/** Codes of an authenticator app. The second is accepted after the first even if the time step changes in between. */
function authenticatorApp(secret: string): [now: string, next: string] {
  const totp = new TOTP({ secret });
  const at = Date.now();
  return [totp.generate({ timestamp: at }), totp.generate({ timestamp: at + 30_000 })];
}

test('a second factor is enrolled after a confirmation, required at sign-in with one-time codes, and removed', async () => {
  const { call, post } = await runAccounts();
  const { email, id } = await system.addUser('two-steps');
  const credentials = { email, password: PASSWORD };
  const other = cookieOf((await post('/api/auth/callback/credentials', credentials)).headers);
  const cookie = cookieOf((await post('/api/auth/callback/credentials', credentials)).headers);
  const own = (method: string, path: string, body?: unknown) =>
    call(method, `/api/user/second-factor${path}`, body, { cookie });

  // A session without a recent confirmation cannot change factors.
  await system.database.updateTable('sessions').set({ confirmedAt: null }).where('userId', '=', id).execute();
  expect((await own('POST', '/totp')).status).toBe(403);
  expect((await own('GET', '')).json()).toEqual({
    totp: false,
    passkeys: 0,
    recoveryCodesLeft: 0,
    required: false,
    confirmedUntil: null,
    confirmBy: 'password',
  });
  expect((await own('POST', '/confirm', { password: 'wrong password' })).status).toBe(400);
  expect((await own('POST', '/confirm', { password: PASSWORD })).status).toBe(200);

  const { secret, uri } = (await own('POST', '/totp')).json();
  expect(uri).toContain(`secret=${secret}`);
  const [now, next] = authenticatorApp(secret);
  // The app is not confirmed by a code yet, so sign-in does not require it.
  expect((await post('/api/auth/callback/credentials', credentials)).status).toBe(200);
  expect((await own('POST', '/totp/confirm', { code: '000000' })).status).toBe(400);
  const { recoveryCodes } = (await own('POST', '/totp/confirm', { code: now })).json();
  expect(recoveryCodes).toHaveLength(10);
  expect((await own('GET', '')).json()).toMatchObject({ totp: true, recoveryCodesLeft: 10 });
  expect((await call('GET', '/api/user/data', undefined, { cookie: other })).status).toBe(401);
  expect((await own('POST', '/totp')).status).toBe(409);
  const stored = await system.database.selectFrom('totpSecrets').selectAll().where('userId', '=', id).execute();
  expect(JSON.stringify(stored)).not.toContain(secret);

  // The cookie of the first step grants no access.
  const firstStep = await post('/api/auth/callback/credentials', credentials);
  expect(firstStep.status).toBe(202);
  expect(firstStep.json()).toEqual({ secondFactor: { step: 'verify', expiresAt: expect.any(String) } });
  const [line = ''] = firstStep.headers.getSetCookie();
  expect(line).toMatch(/^trapline-second-step=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Expires=/);
  const step = cookieOf(firstStep.headers);
  const token = step.split('=')[1];
  expect((await call('GET', '/api/user/data', undefined, { cookie: step })).status).toBe(401);
  expect((await call('GET', '/api/user/data', undefined, { cookie: `trapline-session=${token}` })).status).toBe(401);
  expect((await call('GET', '/api/auth/second-factor')).json()).toEqual({ waiting: null, passkeys: true });
  expect((await call('GET', '/api/auth/second-factor', undefined, { cookie: step })).json()).toMatchObject({
    waiting: { step: 'verify', email, totp: true, passkey: false, recoveryCode: true },
  });
  // It cannot enrol another factor either.
  expect((await post('/api/auth/second-factor/totp', undefined, { cookie: step })).status).toBe(409);
  // The code that enrolled the app cannot be used again.
  expect((await post('/api/auth/second-factor', { code: now }, { cookie: step })).status).toBe(400);
  const done = await post('/api/auth/second-factor', { code: next }, { cookie: step });
  expect(done.status).toBe(200);
  expect(done.json()).toEqual({ user: expect.objectContaining({ email }), returnTo: null });
  const [session] = done.headers.getSetCookie();
  expect((await call('GET', '/api/user/data', undefined, { cookie: session?.split(';')[0] ?? '' })).status).toBe(200);
  // The first step cannot be used twice.
  expect((await post('/api/auth/second-factor', { code: recoveryCodes[0] }, { cookie: step })).status).toBe(401);

  // A recovery code works once, in any notation that users type. The owner is notified.
  await system.deliver();
  const typed = recoveryCodes[0].toUpperCase().replaceAll('-', ' ');
  for (const status of [200, 400]) {
    const cookie = cookieOf((await post('/api/auth/callback/credentials', credentials)).headers);
    expect((await post('/api/auth/second-factor', { code: typed }, { cookie })).status).toBe(status);
  }
  expect((await system.deliver()).map(({ to, text }) => [to, text.includes('recovery code was used')])).toEqual([
    [email, true],
  ]);

  // Of two requests with one code, only one opens a session.
  const twice = cookieOf((await post('/api/auth/callback/credentials', credentials)).headers);
  const answers = await Promise.all(
    [1, 2].map(() => post('/api/auth/second-factor', { code: recoveryCodes[1] }, { cookie: twice })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);

  // New recovery codes replace the old ones. A password reset ends pending sign-ins.
  const codes = (await own('POST', '/recovery-codes')).json().recoveryCodes;
  const waiting = cookieOf((await post('/api/auth/callback/credentials', credentials)).headers);
  expect((await post('/api/auth/second-factor', { code: recoveryCodes[2] }, { cookie: waiting })).status).toBe(400);
  await system.deliver();
  await system.accounts.resetPassword(await system.resetTokenFor(email), 'another-lamp-quarry-77', origin());
  expect((await post('/api/auth/second-factor', { code: codes[0] }, { cookie: waiting })).status).toBe(401);
  const changed = { email, password: 'another-lamp-quarry-77' };
  const last = cookieOf((await post('/api/auth/callback/credentials', changed)).headers);
  const completed = await post('/api/auth/second-factor', { code: codes[0] }, { cookie: last });
  const owner = completed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const removed = await call('DELETE', '/api/user/second-factor/totp', undefined, { cookie: owner });
  expect(removed.status).toBe(204);
  const proven = await system.database.selectFrom('sessions').select('secondFactor').where('userId', '=', id).execute();
  expect(new Set(proven.map(({ secondFactor }) => secondFactor))).toEqual(new Set([false]));
  expect((await post('/api/auth/callback/credentials', changed)).status).toBe(200);
  expect(system.audited.filter(({ target }) => target === `user:${id}`).map(({ action }) => action)).toEqual(
    expect.arrayContaining([
      'second-factor.enrol',
      'second-factor.request',
      'second-factor.refuse',
      'recovery-codes.create',
      'second-factor.remove',
    ]),
  );
});

test('attempts at a second factor are limited per account, whatever the address and the sign-in', async () => {
  const { email, id } = await system.addUser('guessed-code');
  await system.database
    .insertInto('totpSecrets')
    .values({ userId: id, secret: Buffer.from('no secret'), confirmedAt: new Date() })
    .execute();
  const statuses: number[] = [];
  const apps = [await runAccounts(), await runAccounts()];
  for (let at = 0; at < 12; at += 1) {
    const { post } = apps[at % 2] as (typeof apps)[number];
    const cookie = cookieOf((await post('/api/auth/callback/credentials', { email, password: PASSWORD })).headers);
    statuses.push((await post('/api/auth/second-factor', { code: '123456' }, { cookie })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(400), 429, 429]);
});

test('a role that requires a second factor enrols one at sign-in, and earlier sessions are rejected', async () => {
  const { database } = system;
  const strict = await accountSystem({
    database,
    secondFactor: { requiredRoles: ['user'], trustedProviders: ['idp'] },
  });
  const { call, post } = await runAccounts({ accounts: strict });
  const user = await system.addUser('must-enrol');
  const { email } = user;
  const before = await system.sessions.open(database, user, origin());
  const withSession = (cookie: string) => call('GET', '/api/user/data', undefined, { cookie });
  expect((await withSession(`trapline-session=${before.token}`)).status).toBe(401);

  const first = await post('/api/auth/callback/credentials', { email, password: PASSWORD });
  expect([first.status, first.json().secondFactor.step]).toEqual([202, 'enrol']);
  const cookie = cookieOf(first.headers);
  expect((await post('/api/auth/second-factor', { code: '123456' }, { cookie })).status).toBe(409);
  // Another person who knows the password also begins a sign-in and prepares a new passkey.
  const rival = cookieOf((await post('/api/auth/callback/credentials', { email, password: PASSWORD })).headers);
  const options = (await post('/api/auth/second-factor/passkey/enrol/options', undefined, { cookie: rival })).json();
  const response = createAuthenticator({ origin: BASE_URL }).create(options);
  const { secret } = (await post('/api/auth/second-factor/totp', undefined, { cookie })).json();
  const done = await post('/api/auth/second-factor/totp/confirm', { code: authenticatorApp(secret)[0] }, { cookie });
  expect(done.json().recoveryCodes).toHaveLength(10);
  const session = done.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect((await withSession(session)).status).toBe(200);
  // The account has a factor now: pending sign-ins cannot add another one, and earlier sessions are ended.
  const added = { name: 'Rival', response };
  expect((await post('/api/auth/second-factor/passkey/enrol', added, { cookie: rival })).status).toBe(401);
  const sessions = await call('GET', '/api/user/sessions', undefined, { cookie: session });
  expect(sessions.json().data).toMatchObject([{ current: true }]);
  // The last factor cannot be removed while the role requires one.
  expect((await call('DELETE', '/api/user/second-factor/totp', undefined, { cookie: session })).status).toBe(409);

  // A provider that verifies a second factor counts as one; other providers do not.
  const open = (method: string) => strict.secondFactors.openSignIn(database, user, { method }, origin());
  const trusted = await inTransaction(database, () => open('provider:idp'));
  if (trusted.kind !== 'session') throw new Error(trusted.kind);
  expect((await withSession(`trapline-session=${trusted.session.token}`)).status).toBe(200);

  const given = await post('/api/auth/callback/credentials', { email, password: PASSWORD });
  const waits = cookieOf(given.headers);
  expect((await post('/api/auth/second-factor/cancel', undefined, { cookie: waits })).status).toBe(204);
  expect((await call('GET', '/api/auth/second-factor', undefined, { cookie: waits })).json()).toEqual({
    waiting: null,
    passkeys: true,
  });
});

test('passkeys are added, work as second step and alone, and invalid ones are rejected', async () => {
  const { call, post } = await runAccounts();
  const { email, id } = await system.addUser('with-passkey');
  const other = await system.addUser('with-other-passkey');
  const credentials = { email, password: PASSWORD };
  const cookie = cookieOf((await post('/api/auth/callback/credentials', credentials)).headers);
  const theirs = cookieOf(
    (await post('/api/auth/callback/credentials', { email: other.email, password: PASSWORD })).headers,
  );
  const own = (method: string, path: string, body?: unknown, as = cookie) =>
    call(method, `/api/user/passkeys${path}`, body, { cookie: as });
  const add = async (authenticator: ReturnType<typeof createAuthenticator>, as = cookie) => {
    const options = (await own('POST', '/options', undefined, as)).json();
    return own('POST', '', { name: 'Laptop', response: authenticator.create(options) }, as);
  };

  // Rejected: another site, another host name, an attestation certificate, a challenge of another session, a used
  // challenge.
  expect(
    (await add(createAuthenticator({ origin: 'https://evil.example', rpId: 'trapline.example.org' }))).status,
  ).toBe(400);
  expect((await add(createAuthenticator({ origin: BASE_URL, rpId: 'evil.example' }))).status).toBe(400);
  expect((await add(createAuthenticator({ origin: BASE_URL, certificates: [Buffer.from('c')] }))).status).toBe(400);
  const laptop = createAuthenticator({ origin: BASE_URL });
  const options = (await own('POST', '/options')).json();
  expect((await own('POST', '', { name: 'Laptop', response: laptop.create(options) }, theirs)).status).toBe(400);
  const added = await own('POST', '', { name: 'Laptop', response: laptop.create(options) });
  expect(added.status).toBe(201);
  expect(added.json()).toMatchObject({ passkey: { name: 'Laptop', lastUsedAt: null }, recoveryCodes: { length: 10 } });
  expect((await own('POST', '', { name: 'Again', response: laptop.create(options) })).status).toBe(400);
  const passkeyId = added.json().passkey.id;
  expect((await own('PATCH', `/${passkeyId}`, { name: 'Work laptop' })).status).toBe(204);
  expect((await own('PATCH', `/${passkeyId}`, { name: 'Mine' }, theirs)).status).toBe(404);
  const stranger = createAuthenticator({ origin: BASE_URL });
  expect((await add(stranger, theirs)).status).toBe(201);
  expect((await own('GET', '')).json()).toMatchObject({ data: [{ name: 'Work laptop' }], available: true });

  // As the second step: a passkey of the account whose counter increases.
  const begin = async () => cookieOf((await post('/api/auth/callback/credentials', credentials)).headers);
  const step = await begin();
  const ask = async (as: string) =>
    (await post('/api/auth/second-factor/passkey/options', undefined, { cookie: as })).json();
  const answer = (response: unknown, as: string) =>
    post('/api/auth/second-factor/passkey', { response }, { cookie: as });
  expect((await ask(step)).allowCredentials).toEqual([{ id: laptop.id, type: 'public-key', transports: [] }]);
  expect((await answer(stranger.get(await ask(step)), step)).status).toBe(400);
  const signed = laptop.get(await ask(step));
  expect((await answer(signed, await begin())).status).toBe(400);
  const done = await answer(laptop.get(await ask(step)), step);
  expect([done.status, done.json().user?.email]).toEqual([200, email]);
  const again = await begin();
  laptop.setCounter(1);
  expect((await answer(laptop.get(await ask(again)), again)).status).toBe(400);
  laptop.setCounter(100);

  // Without a password: only if the authenticator verified its user, and each challenge once.
  const signIn = (response: unknown) => post('/api/auth/passkey', { response });
  const challenge = async () => (await post('/api/auth/passkey/options')).json();
  const alone = laptop.get(await challenge());
  const entered = await signIn(alone);
  expect([entered.status, entered.json().user?.id]).toEqual([200, id]);
  expect((await signIn(alone)).status).toBe(400);
  expect((await signIn(laptop.get(await ask(await begin())))).status).toBe(400);
  const key = createAuthenticator({ origin: BASE_URL, verifiesUser: false });
  const owner = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect((await add(key, owner)).status).toBe(201);
  expect((await signIn(key.get(await challenge()))).status).toBe(400);
  const keyStep = await begin();
  expect((await answer(key.get(await ask(keyStep)), keyStep)).status).toBe(200);
  await system.database.updateTable('users').set({ disabled: true }).where('id', '=', id).execute();
  expect((await signIn(laptop.get(await challenge()))).status).toBe(400);
  await system.database.updateTable('users').set({ disabled: false }).where('id', '=', id).execute();

  // Recovery codes are deleted with the last factor.
  for (const { id: passkey } of (await own('GET', '', undefined, owner)).json().data)
    expect((await own('DELETE', `/${passkey}`, undefined, owner)).status).toBe(204);
  expect((await call('GET', '/api/user/second-factor', undefined, { cookie: owner })).json()).toMatchObject({
    passkeys: 0,
    recoveryCodesLeft: 0,
  });
});

test('a sign-out that also ends a session at a provider returns the address there', async () => {
  const federated = await accountSystem({
    database: system.database,
    providerSignOut: async (sealed) => `https://idp.example.org/end?of=${sealed.toString()}`,
  });
  await federated.addUser('federated');
  const { post } = await runAccounts({ accounts: federated });
  const signedIn = await post('/api/auth/callback/credentials', {
    email: 'federated@example.org',
    password: PASSWORD,
  });
  const cookie = cookieOf(signedIn.headers);
  const user = await federated.user('federated@example.org');
  const sealed = { providerSession: Buffer.from('sealed') };
  await system.database.updateTable('sessions').set(sealed).where('userId', '=', user.id).execute();
  const out = await post('/api/auth/sign-out', undefined, { cookie });
  expect([out.status, out.json()]).toEqual([200, { continueAt: 'https://idp.example.org/end?of=sealed' }]);
  expect(out.headers.getSetCookie()[0]).toMatch(/^trapline-session=; .*Max-Age=0/);
});
