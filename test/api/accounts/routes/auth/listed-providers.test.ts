import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SESSIONS_ENDED } from '#api/accounts/admin/announce-change.ts';
import type { IdentityProviderConfig, ListedIdentityProvider } from '#api/accounts/oauth/identity-provider.ts';
import type { ProviderPolicy } from '#api/accounts/oauth/provider-policy.ts';
import { deleteExpired } from '#api/accounts/retention.ts';
import { insertPendingSignIn } from '#api/accounts/tables/pending-sign-ins.ts';
import type { Database } from '#api/postgres/database.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { type Browser, createBrowser } from '#test/support/browser.ts';
import { type IdentityProviderService, startIdentityProvider } from '#test/support/services/identity-provider.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { auditOf, PUBLIC_URL, runOAuthApp } from './oauth-fixture.ts';

const LOGOUT_PATH = '/api/auth/oidc/staff/backchannel-logout';
let staff: IdentityProviderService;
let partners: IdentityProviderService;
let database: Database;

beforeAll(async () => {
  ({ database } = await usePostgres());
  const redirectUris = ['staff', 'partners', 'idp'].map((id) => `${PUBLIC_URL}/api/auth/callback/${id}`);
  [staff, partners] = await Promise.all([
    startIdentityProvider({
      redirectUris,
      signedOutUris: [`${PUBLIC_URL}/sign-in`],
      logoutUri: `${PUBLIC_URL}${LOGOUT_PATH}`,
    }),
    startIdentityProvider({ redirectUris }),
  ]);
});
afterAll(() => Promise.all([staff.stop(), partners.stop()]));

let people = 0;
function newPerson(claims: object = {}) {
  people += 1;
  const name = `listed-${people}`;
  return {
    sub: `sub-${people}`,
    email: `${name}@example.org`,
    email_verified: true,
    preferred_username: name,
    ...claims,
  };
}

function listed(
  service: IdentityProviderService,
  id: string,
  policy: Partial<ProviderPolicy> = {},
  rest: Partial<ListedIdentityProvider> = {},
): IdentityProviderConfig {
  const { issuer, clientId, clientSecret } = service;
  return {
    issuer,
    clientId,
    clientSecret,
    listed: {
      id,
      name: `The ${id}`,
      scopes: ['openid', 'email', 'profile'],
      claims: { email: 'email', username: 'preferred_username' },
      emailVerified: 'claim',
      policy: { signUp: 'allowed', linking: 'unlinked', ...policy },
      ...rest,
    },
  };
}

const both = () => [listed(staff, 'staff'), listed(partners, 'partners')];
const lastAudit = async () => (await auditOf(database)).at(-1);
const roleOf = async (email: string) =>
  (await database.selectFrom('users').select('role').where('email', '=', email).executeTakeFirst())?.role;

async function outcome(app: Awaited<ReturnType<typeof runOAuthApp>>, provider: string, browser = createBrowser()) {
  const { status } = await app.signIn(provider, browser);
  return `${status} ${await lastAudit()}`;
}

describe('two configured providers', () => {
  test('are listed in their order after those with separate settings', async () => {
    const app = await runOAuthApp({ database, idp: staff, listed: both() });
    const { data } = (await (await app.get('/api/auth/providers')).json()) as { data: object[] };
    expect(data).toEqual([
      { id: 'idp', name: 'Identity provider', url: '/api/auth/signin/idp' },
      { id: 'staff', name: 'The staff', url: '/api/auth/signin/staff' },
      { id: 'partners', name: 'The partners', url: '/api/auth/signin/partners' },
    ]);
  });

  test('sign in separate users: the same subject at both is two accounts', async () => {
    const app = await runOAuthApp({ database, listed: both() });
    const one = newPerson();
    staff.person(one);
    expect(await outcome(app, 'staff')).toBe('200 key.create');
    partners.person({ ...newPerson(), sub: one.sub });
    expect(await outcome(app, 'partners')).toBe('200 key.create');
    expect(await outcome(app, 'staff')).toBe('302 oauth.sign-in');
  });

  test('cannot take over accounts of each other by the address', async () => {
    const app = await runOAuthApp({ database, idp: partners, listed: both() });
    const victim = newPerson();
    staff.person(victim);
    expect(await outcome(app, 'staff')).toBe('200 key.create');
    partners.person({ ...victim, sub: 'attacker' });
    const browser = createBrowser();
    expect(await outcome(app, 'partners', browser)).toBe('403 oauth.reject linked-to-other-provider');
    expect(await app.caller(browser)).toBeUndefined();
    // A provider configured by its own settings cannot either.
    expect(await outcome(app, 'idp')).toBe('403 oauth.reject linked-to-other-provider');
  });

  test('link to an account of another if the operator trusts both, and to none without linking', async () => {
    const person = newPerson();
    staff.person(person);
    partners.person({ ...person, sub: `${person.sub}-there` });
    const trusting = [listed(staff, 'staff'), listed(partners, 'partners', { linking: 'verified-email' })];
    const app = await runOAuthApp({ database, listed: trusting });
    expect(await outcome(app, 'staff')).toBe('200 key.create');
    expect(await outcome(app, 'partners')).toBe('302 oauth.link');

    const local = newPerson();
    await database
      .insertInto('users')
      .values({ username: local.preferred_username, email: local.email, passwordHash: null, emailVerified: true })
      .execute();
    staff.person(local);
    const unlinking = await runOAuthApp({ database, listed: [listed(staff, 'staff', { linking: 'never' })] });
    expect(await outcome(unlinking, 'staff')).toBe('403 oauth.reject linking-disabled');
    expect(await outcome(app, 'staff')).toBe('302 oauth.link');
  });
});

describe('the view of administrators', () => {
  test('is the configuration without secrets, and whether the provider is reachable', async () => {
    const { administration } = await runOAuthApp({ database, listed: [listed(staff, 'staff')] });
    const [provider] = await administration.list();
    expect(provider).toMatchObject({
      id: 'staff',
      protocol: 'oidc',
      issuer: staff.issuer,
      callbackUrl: `${PUBLIC_URL}/api/auth/callback/staff`,
      logoutUrl: `${PUBLIC_URL}${LOGOUT_PATH}`,
      policy: { linking: 'unlinked' },
    });
    expect(provider?.identities).toBeGreaterThan(0);
    expect(JSON.stringify(provider)).not.toContain(staff.clientSecret);
    expect(await administration.test('staff')).toEqual({ ok: true, problem: null });
    expect(await administration.test('other')).toBeUndefined();
    await staff.stop();
    const down = await administration.test('staff').finally(() => staff.start());
    // The first request may use the connection that the provider has just closed.
    const problem = expect.stringMatching(
      /^the discovery of the identity provider failed: the provider cannot be reached: .* \((ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET)\)$/,
    );
    expect(down).toEqual({ ok: false, problem });
  });
});

describe('a response of another issuer (mix-up, RFC 9207)', () => {
  test.each([
    ['that names another issuer', (url: URL) => url.searchParams.set('iss', partners.issuer)],
    ['that names no issuer, although the provider announces it', (url: URL) => url.searchParams.delete('iss')],
  ])('rejects %s before its code is exchanged', async (_name, change) => {
    const app = await runOAuthApp({ database, listed: both() });
    staff.person(newPerson());
    const browser = createBrowser();
    const callback = new URL(await app.goOut(browser, 'staff'));
    expect(callback.searchParams.get('iss')).toBe(staff.issuer);
    change(callback);
    const asked = staff.requests.filter((request) => request === 'POST /token').length;
    expect((await browser.visit(callback.href)).status).toBe(400);
    expect(await lastAudit()).toBe('oauth.reject invalid-response');
    expect(staff.requests.filter((request) => request === 'POST /token')).toHaveLength(asked);
  });

  test('is rejected at the address of another provider', async () => {
    const app = await runOAuthApp({ database, listed: both() });
    staff.person(newPerson());
    const browser = createBrowser();
    const callback = await app.goOut(browser, 'staff');
    expect((await browser.visit(callback.replace('/callback/staff', '/callback/partners'))).status).toBe(400);
    expect(await lastAudit()).toBe('oauth.reject no-pending-sign-in');
  });
});

describe('the policy', () => {
  test('rejects users of other domains, also those who have signed in before', async () => {
    const person = newPerson();
    staff.person(person);
    const open = await runOAuthApp({ database, listed: [listed(staff, 'staff')] });
    expect(await outcome(open, 'staff')).toBe('200 key.create');
    const app = await runOAuthApp({
      database,
      listed: [listed(staff, 'staff', { allowedDomains: ['other.example'] })],
    });
    expect(await outcome(app, 'staff')).toBe('403 oauth.reject domain-not-allowed');
    staff.person(newPerson());
    expect(await outcome(app, 'staff')).toBe('403 oauth.reject domain-not-allowed');
  });

  test('decides who gets an account', async () => {
    staff.person(newPerson());
    const closed = await runOAuthApp({ database, listed: [listed(staff, 'staff', { signUp: 'closed' })] });
    expect(await outcome(closed, 'staff')).toBe('403 oauth.reject registration-closed');
    const byRegistration = listed(staff, 'staff', { signUp: 'registration' });
    const app = await runOAuthApp({ database, registration: 'closed', listed: [byRegistration] });
    expect(await outcome(app, 'staff')).toBe('403 oauth.reject registration-closed');
    const allowed = await runOAuthApp({ database, registration: 'closed', listed: [listed(staff, 'staff')] });
    expect(await outcome(allowed, 'staff')).toBe('200 key.create');
  });

  test('treats an address without an assertion as verified only if configured', async () => {
    staff.person(newPerson({ email_verified: undefined }));
    const strict = await runOAuthApp({ database, listed: [listed(staff, 'staff')] });
    expect(await outcome(strict, 'staff')).toBe('403 oauth.reject email-not-asserted');
    const policy = { allowedDomains: ['example.org'] };
    const app = await runOAuthApp({ database, listed: [listed(staff, 'staff', policy, { emailVerified: 'always' })] });
    expect(await outcome(app, 'staff')).toBe('200 key.create');
  });

  test('grants and removes roles and teams by claims at every sign-in', async () => {
    const roles = { claim: 'groups', map: { soc: 'analyst', ops: 'admin' }, default: 'user', required: false } as const;
    const teams = { claim: 'groups', map: { soc: 'Sync soc', ops: 'Sync ops', gone: 'No such team' } };
    const app = await runOAuthApp({ database, listed: [listed(staff, 'staff', { roles, teams })] });
    await database
      .insertInto('teams')
      .values([
        { id: 'team_soc', name: 'Sync soc' },
        { id: 'team_ops', name: 'Sync ops' },
      ])
      .execute();
    const person = newPerson({ groups: ['soc', 'gone'] });
    const teamsOf = async () => {
      const rows = await database
        .selectFrom('teamMembers')
        .innerJoin('users', 'users.id', 'teamMembers.userId')
        .where('users.email', '=', person.email)
        .select('teamId')
        .orderBy('teamId')
        .execute();
      return rows.map(({ teamId }) => teamId);
    };
    staff.person(person);
    await app.signIn('staff');
    expect([await roleOf(person.email), await teamsOf()]).toEqual(['analyst', ['team_soc']]);
    expect(app.announced).toHaveLength(1);

    staff.person({ ...person, groups: 'ops' } as typeof person);
    const browser = createBrowser();
    await app.signIn('staff', browser);
    expect([await roleOf(person.email), await teamsOf()]).toEqual(['admin', ['team_ops']]);
    expect(await app.caller(browser)).toMatchObject({ role: 'admin' });

    // The last administrator keeps the role. When there is another one, the role is removed.
    staff.person({ ...person, groups: [] } as typeof person);
    await app.signIn('staff');
    expect([await roleOf(person.email), await teamsOf()]).toEqual(['admin', []]);
    await database
      .insertInto('users')
      .values({
        username: 'other-admin',
        email: 'other-admin@example.org',
        passwordHash: null,
        emailVerified: true,
        role: 'admin',
      })
      .execute();
    await app.signIn('staff');
    expect(await roleOf(person.email)).toBe('user');
    const strict = { ...roles, required: true };
    const refusing = await runOAuthApp({ database, listed: [listed(staff, 'staff', { roles: strict })] });
    expect(await outcome(refusing, 'staff')).toBe('403 oauth.reject role-required');
  });
});

/** The provider confirms the end of the session with a form that the browser sends. */
async function endAtProvider(browser: Browser, address: string): Promise<Response> {
  const form = await (await browser.visit(address)).text();
  const action = /action="([^"]+)"/.exec(form)?.[1] ?? '';
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(form)?.[1] ?? '';
  return browser.post(action, { xsrf, logout: 'yes' });
}

describe('a sign-out', () => {
  const signedIn = async (signOut: 'here' | 'provider') => {
    const app = await runOAuthApp({ database, listed: [listed(staff, 'staff', {}, { signOut })] });
    const browser = createBrowser();
    staff.person(newPerson());
    expect((await app.signIn('staff', browser)).status).toBe(200);
    return { app, browser };
  };

  test('also ends the session at the provider, which returns the browser to the sign-in page', async () => {
    const { app, browser } = await signedIn('provider');
    const address = new URL((await app.signOut(browser)) ?? '');
    expect(await app.caller(browser)).toBeUndefined();
    // The ID token identifies the session at the provider.
    expect(address.searchParams.get('id_token_hint')).toBeTruthy();
    const ended = await endAtProvider(browser, address.href);
    expect([ended.status, ended.headers.get('location')]).toEqual([303, `${PUBLIC_URL}/sign-in`]);
    // The session at the provider has ended, so the next sign-in asks for credentials again.
    const before = staff.requests.filter((request) => request.includes('/interaction/')).length;
    await app.signIn('staff', browser);
    expect(staff.requests.filter((request) => request.includes('/interaction/'))).toHaveLength(before + 1);
  });

  test('ends only the local session by default', async () => {
    const { app, browser } = await signedIn('here');
    expect(await app.signOut(browser)).toBeUndefined();
    expect(await app.caller(browser)).toBeUndefined();
  });

  test('ends the local session while the provider is unavailable', async () => {
    const { app, browser } = await signedIn('provider');
    const elsewhere = await runOAuthApp({
      database,
      listed: [{ ...listed(staff, 'staff', {}, { signOut: 'provider' }), issuer: 'http://127.0.0.1:1' }],
    });
    for (const [name, value] of browser.cookies(app.url)) browser.cookies(elsewhere.url).set(name, value);
    expect(await elsewhere.signOut(browser)).toBeUndefined();
    expect(elsewhere.warnings).toEqual([
      { provider: 'staff', reason: 'the discovery of the identity provider failed' },
    ]);
    expect(await app.caller(browser)).toBeUndefined();
  });
});

describe('a logout token of the provider (back-channel logout)', () => {
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const claims = (rest: object) => {
    const iat = Math.floor(Date.now() / 1_000);
    const { issuer: iss, clientId: aud } = staff;
    return { iss, aud, iat, exp: iat + 120, jti: crypto.randomUUID(), events: EVENTS, ...rest };
  };
  const post = (app: { url: string }, token: string, path = LOGOUT_PATH) =>
    fetch(`${app.url}${path}`, { method: 'POST', body: new URLSearchParams({ logout_token: token }) });

  test('ends the session of one browser by its sid, on all processes', async () => {
    const shared = createMemorySharedState();
    const ended: string[] = [];
    await shared.channels.subscribe(SESSIONS_ENDED, (message) => ended.push(message));
    const options = { database, shared, listed: [listed(staff, 'staff')] };
    const [app, other] = [await runOAuthApp(options), await runOAuthApp(options)];
    staff.person(newPerson());
    const [here, elsewhere] = [createBrowser(), createBrowser()];
    await app.signIn('staff', here);
    await app.signIn('staff', elsewhere);
    // The token arrives at another process than the one that opened the session.
    staff.deliverLogoutTo(other.url);
    await endAtProvider(here, `${staff.issuer}/session/end`);
    expect(staff.logoutAnswers).toEqual([200]);
    expect(await app.caller(here)).toBeUndefined();
    expect(await app.caller(elsewhere)).toBeDefined();
    expect(await lastAudit()).toBe('session.end');
    expect(ended).toEqual([expect.stringContaining('sessionId')]);
  });

  test('ends by sub the sessions that this provider began for the account, and no others', async () => {
    const app = await runOAuthApp({ database, listed: both() });
    const [person, colleague] = [newPerson(), newPerson()];
    const signedIn = async (provider: string, service: IdentityProviderService, who: typeof person) => {
      const browser = createBrowser();
      service.person(who);
      await app.signIn(provider, browser);
      return browser;
    };
    const ended = [await signedIn('staff', staff, person), await signedIn('staff', staff, person)];
    const kept = [
      await signedIn('staff', staff, colleague),
      await signedIn('partners', partners, { ...newPerson(), sub: person.sub }),
    ];
    const response = await post(app, await staff.sign(claims({ sub: person.sub })));
    expect([response.status, response.headers.get('cache-control'), await response.text()]).toEqual([
      200,
      'no-store',
      '',
    ]);
    for (const browser of ended) expect(await app.caller(browser)).toBeUndefined();
    for (const browser of kept) expect(await app.caller(browser)).toBeDefined();
    // A session that the token does not match exactly continues. An ended session is not an error.
    expect((await post(app, await staff.sign(claims({ sub: colleague.sub, sid: 'another' })))).status).toBe(200);
    expect(await app.caller(kept[0] as Browser)).toBeDefined();
    expect((await post(app, await staff.sign(claims({ sub: person.sub })))).status).toBe(200);
  });

  test('ends a sign-in that waits for its second factor', async () => {
    const app = await runOAuthApp({ database, listed: [listed(staff, 'staff')] });
    const person = newPerson();
    staff.person(person);
    await app.signIn('staff');
    const { id } = await database
      .selectFrom('users')
      .select('id')
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow();
    const waiting = { userId: id, step: 'verify', returnTo: null, providerSession: null, lifeMs: 60_000 } as const;
    const method = 'provider:staff';
    const origin = { providerSubject: person.sub, providerSid: null };
    await insertPendingSignIn(database, { ...waiting, ...origin, method, tokenHash: randomBytes(32) });
    await insertPendingSignIn(database, {
      ...waiting,
      method: 'password',
      providerSubject: null,
      providerSid: null,
      tokenHash: randomBytes(32),
    });
    await post(app, await staff.sign(claims({ sub: person.sub, sid: 'any' })));
    const left = await database.selectFrom('pendingSignIns').select('method').where('userId', '=', id).execute();
    expect(left).toEqual([{ method: 'password' }]);
  });

  test('is accepted once, from its own provider, and errors state the reason', async () => {
    const options = { database, listed: both(), shared: createMemorySharedState() };
    const [app, other] = [await runOAuthApp(options), await runOAuthApp(options)];
    const person = newPerson();
    staff.person(person);
    const token = await staff.sign(claims({ sub: person.sub }));
    expect((await post(app, token)).status).toBe(200);
    const browser = createBrowser();
    await app.signIn('staff', browser);
    const replayed = await post(other, token);
    expect([replayed.status, replayed.headers.get('cache-control')]).toEqual([400, 'no-store']);
    expect(await replayed.json()).toEqual({
      error: 'invalid_request',
      error_description: 'the token was used before',
    });
    expect(await lastAudit()).toBe('oauth.reject logout-replayed');
    // A token for the other provider, which has other keys.
    const fresh = await staff.sign(claims({ sub: person.sub }));
    expect((await post(app, fresh, LOGOUT_PATH.replace('staff', 'partners'))).status).toBe(400);
    const foreign = await partners.sign(claims({ sub: person.sub }));
    expect(await (await post(app, foreign)).json()).toMatchObject({
      error_description: 'the signature of the token is not valid',
    });
    expect(await lastAudit()).toBe('oauth.reject logout-signature');
    const idToken = await staff.sign(claims({ sub: person.sub, events: undefined, nonce: 'n' }), { typ: undefined });
    expect((await post(app, idToken)).status).toBe(400);
    expect(await app.caller(browser)).toBeDefined();
    // Neither a token nor a form; an unknown provider.
    const statuses = await Promise.all([
      fetch(`${app.url}${LOGOUT_PATH}`, { method: 'POST', body: new URLSearchParams({ other: 'x' }) }),
      fetch(`${app.url}${LOGOUT_PATH}`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      }),
      post(app, fresh, LOGOUT_PATH.replace('staff', 'unknown')),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([400, 415, 404]);
    // Many rejected tokens exhaust the limit of the address, also at the other process. Accepted tokens do not count.
    for (let count = 0; count < 20; count += 1) await post(app, 'no token');
    const limited = await post(other, fresh);
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await app.caller(browser)).toBeDefined();
  });

  test('can be sent again if the keys of the provider could not be fetched', async () => {
    const app = await runOAuthApp({ database, listed: [listed(staff, 'staff')] });
    const token = await staff.sign(claims({ sub: 'unknown' }));
    await staff.stop();
    const response = await post(app, token).finally(() => staff.start());
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(app.warnings).toEqual([expect.objectContaining({ provider: 'staff' })]);
    const later = await runOAuthApp({ database, listed: [listed(staff, 'staff')] });
    expect((await post(later, token)).status).toBe(200);
  });

  test('is forgotten when its own times reject it', async () => {
    await database
      .updateTable('logoutTokens')
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .execute();
    expect((await deleteExpired(database)).logoutTokens).toBeGreaterThan(0);
  });
});
