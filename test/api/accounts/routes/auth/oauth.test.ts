import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HasherBusy } from '#api/accounts/passwords/hasher.ts';
import type { Database } from '#api/postgres/database.ts';
import { createBrowser } from '#test/support/browser.ts';
import { type CodeHostService, startCodeHost } from '#test/support/services/code-host.ts';
import { type IdentityProviderService, startIdentityProvider } from '#test/support/services/identity-provider.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { auditOf, REDIRECT_URIS, runOAuthApp } from './oauth-fixture.ts';

let idp: IdentityProviderService;
let host: CodeHostService;
let database: Database;

beforeAll(async () => {
  ({ database } = await usePostgres());
  idp = await startIdentityProvider({ redirectUris: REDIRECT_URIS });
  host = await startCodeHost();
});
afterAll(() => Promise.all([idp.stop(), host.stop()]));

let people = 0;
/** A person without an account. */
function newPerson(claims: object = {}) {
  people += 1;
  const name = `person-${people}`;
  return {
    sub: `sub-${people}`,
    email: `${name}@example.org`,
    email_verified: true,
    preferred_username: name,
    ...claims,
  };
}

async function addUser(user: object) {
  people += 1;
  const values = {
    username: `user-${people}`,
    email: `user-${people}@example.org`,
    passwordHash: 'none',
    emailVerified: true,
  };
  return database
    .insertInto('users')
    .values({ ...values, ...user })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const audited = async () => (await auditOf(database)).slice(before);
let before = 0;
beforeEach(async () => {
  before = (await auditOf(database)).length;
});

describe('GET /api/auth/providers (rule 4)', () => {
  test.each([
    ['both', () => ({ idp, host }), ['idp', 'codehost']],
    ['one', () => ({ host }), ['codehost']],
    ['none', () => ({}), []],
  ])('lists the configured providers: %s', async (_name, configured, ids) => {
    const app = await runOAuthApp({ database, ...configured() });
    const { data } = (await (await app.get('/api/auth/providers')).json()) as { data: { id: string; url: string }[] };
    expect(data.map(({ id }) => id)).toEqual(ids);
    for (const { id, url } of data) expect(url).toBe(`/api/auth/signin/${id}`);
    if (ids.length === 0) {
      for (const way of ['signin', 'callback']) expect((await app.get(`/api/auth/${way}/idp`)).status).toBe(404);
    }
  });
});

describe('the first sign-in', () => {
  test('creates a user with a default key, which works and is shown once', async () => {
    const app = await runOAuthApp({ database, idp });
    const browser = createBrowser();
    const person = newPerson();
    idp.person(person);
    const response = await app.signIn('idp', browser);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const { user, apiKey, apiKeyId, returnTo } = (await response.json()) as Record<string, string> & { user: object };
    expect(user).toMatchObject({ username: person.preferred_username, email: person.email, role: 'user' });
    expect(returnTo).toBe('/');
    expect(await app.caller(browser)).toMatchObject({ email: person.email, role: 'user' });

    const key = await database
      .selectFrom('apiKeys')
      .selectAll()
      .where('keyId', '=', `${apiKeyId}`)
      .executeTakeFirstOrThrow();
    expect(key.label).toBe('default');
    expect(await app.hasher.verify(`${apiKey}`.split('.')[1] ?? '', key.secretHash)).toBe(true);
    expect(await audited()).toEqual(['oauth.create', 'key.create']);
    const rows = JSON.stringify(await database.selectFrom('auditLog').selectAll().execute());
    expect(rows).not.toContain(`${apiKey}`.split('.')[1]);

    // The same sign-in again: no second key and no second user.
    const again = await app.signIn('idp');
    expect(again.status).toBe(302);
    expect(again.headers.get('location')).toBe('/');
    expect(await audited()).toEqual(['oauth.create', 'key.create', 'oauth.sign-in']);
  });

  test('shows a page with the key, which is in no address', async () => {
    const app = await runOAuthApp({ database, idp });
    const browser = createBrowser();
    idp.person(newPerson({ preferred_username: '<script>alert(1)</script>' }));
    const callback = await app.goOut(browser, 'idp', '/a?b=1&c="x"');
    const response = await browser.visit(callback, { headers: { accept: 'text/html,*/*' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('location')).toBeNull();
    const html = await response.text();
    expect(html).toMatch(/<code>tl_[0-9A-Za-z]{12}\.[0-9A-Za-z]{49}<\/code>/);
    expect(html).toContain('href="/a?b=1&amp;c=%22x%22"');
    expect(html).not.toContain('<script');

    const reload = await browser.visit(callback, { headers: { accept: 'text/html' } });
    expect(reload.status).toBe(400);
    expect(await reload.text()).not.toContain('tl_');
  });

  test.each([1, 2, 3])('of several concurrent tabs creates one user (round %i)', async () => {
    const app = await runOAuthApp({ database, host });
    people += 1;
    const name = `racer-${people}`;
    const email = `${name}@example.org`;
    host.person({ id: 9_000 + people, login: name, email: null, emails: [{ email, primary: true, verified: true }] });
    const browsers = Array.from({ length: 6 }, () => createBrowser());
    const callbacks = await Promise.all(browsers.map((browser) => app.goOut(browser, 'codehost')));
    const visits = browsers.map(async (browser, index) => {
      const response = await browser.visit(callbacks[index] ?? '', { headers: { accept: 'application/json' } });
      return `${response.status} ${await response.text()}`;
    });
    const answers = await Promise.all(visits);
    expect(answers.map((answer) => answer.slice(0, 3)).sort(), answers.join('\n')).toEqual([
      '200',
      ...Array(5).fill('302'),
    ]);
    expect(await database.selectFrom('users').select('id').where('email', '=', email).execute()).toHaveLength(1);
    expect((await audited()).sort()).toEqual(['key.create', 'oauth.create', ...Array(5).fill('oauth.sign-in')].sort());
  });

  test('chooses another name if the first is taken, regardless of case', async () => {
    await addUser({ username: 'Taken-Name' });
    const app = await runOAuthApp({ database, idp });
    idp.person(newPerson({ preferred_username: 'taken-name' }));
    const { user } = (await (await app.signIn()).json()) as { user: { username: string } };
    expect(user.username).toMatch(/^taken-name-\d{4}$/);
  });

  test.each([
    ['closed', 'closed' as const, 403],
    ['another domain', ['example.com'], 403],
    ['a subdomain is another domain', ['sub.example.org'], 403],
    ['this domain', ['example.com', 'example.org'], 200],
  ])('registration: %s', async (_name, registration, status) => {
    const app = await runOAuthApp({ database, idp, registration });
    idp.person(newPerson());
    expect((await app.signIn()).status).toBe(status);
    const ways = (await (await app.get('/api/auth/providers')).json()) as { registration: string };
    expect(ways.registration).toBe(registration === 'closed' ? 'closed' : 'restricted');
    if (status === 403) expect(await audited()).toEqual(['oauth.reject registration-closed']);
  });

  test('returns Retry-After if too many hashes are queued, and creates no user', async () => {
    const hash = async () => {
      throw new HasherBusy('too many hashes are waiting');
    };
    const app = await runOAuthApp({ database, idp, hash });
    const person = newPerson();
    idp.person(person);
    const response = await app.signIn();
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await database.selectFrom('users').select('id').where('email', '=', person.email).execute()).toEqual([]);
    expect(await audited()).toEqual([]);
  });

  test('creates no user if the key cannot be hashed', async () => {
    const app = await runOAuthApp({ database, idp });
    await app.hasher.close();
    const person = newPerson();
    idp.person(person);
    expect((await app.signIn()).status).toBe(500);
    expect(await database.selectFrom('users').select('id').where('email', '=', person.email).execute()).toEqual([]);
    expect(await audited()).toEqual([]);
  });
});

describe('linking (rule 5)', () => {
  test('adds a provider to the user with the address if both sides have verified it', async () => {
    const app = await runOAuthApp({ database, idp, host });
    const user = await addUser({ failedLoginAttempts: 3 });
    const browser = createBrowser();
    idp.person(newPerson({ email: user.email.toUpperCase() }));
    expect((await app.signIn('idp', browser)).status).toBe(302);
    expect(await app.caller(browser)).toMatchObject({ userId: user.id });
    // The code host as well. The count of failed passwords is reset, as after any sign-in.
    const emails = [{ email: user.email, primary: true, verified: true }];
    host.person({ id: 7_000 + people, login: 'x', email: null, emails });
    expect((await app.signIn('codehost')).status).toBe(302);
    expect(await audited()).toEqual(['oauth.link', 'oauth.link']);
    const { failedLoginAttempts } = await database
      .selectFrom('users')
      .select('failedLoginAttempts')
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    expect(failedLoginAttempts).toBe(0);
  });

  test.each([
    ['the address of our user was never verified (pre-hijack)', { emailVerified: false }, {}, 'email-not-verified'],
    [
      "the provider reports another's address without asserting it",
      {},
      { email_verified: false },
      'email-not-asserted',
    ],
    ['the provider says nothing about it', {}, { email_verified: undefined }, 'email-not-asserted'],
    ['the account is disabled', { disabled: true }, {}, 'account-disabled'],
    ['the account has ended', { endDate: new Date(Date.now() - 1_000) }, {}, 'account-disabled'],
    ['the account is locked', { lockUntil: new Date(Date.now() + 3_600_000) }, {}, 'account-locked'],
  ])('is rejected if %s', async (_name, columns, claims, reason) => {
    const app = await runOAuthApp({ database, idp });
    const user = await addUser(columns);
    const browser = createBrowser();
    idp.person(newPerson({ email: user.email, ...claims }));
    const response = await app.signIn('idp', browser);
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain(reason);
    expect(await app.caller(browser)).toBeUndefined();
    expect(await database.selectFrom('oauthIdentities').selectAll().where('userId', '=', user.id).execute()).toEqual(
      [],
    );
    expect(await audited()).toEqual([`oauth.reject ${reason}`]);
  });

  test('is rejected if the address now belongs to another account of the same provider', async () => {
    const app = await runOAuthApp({ database, idp });
    const first = newPerson();
    idp.person(first);
    expect((await app.signIn()).status).toBe(200);
    idp.person(newPerson({ email: first.email }));
    expect((await app.signIn()).status).toBe(403);
    expect(await audited()).toEqual(['oauth.create', 'key.create', 'oauth.reject other-identity-linked']);
  });

  test('signs a known identity in by its subject, whatever its current address', async () => {
    const app = await runOAuthApp({ database, idp });
    const person = newPerson();
    const other = await addUser({});
    idp.person(person);
    await app.signIn();
    idp.person({ ...person, email: other.email });
    const browser = createBrowser();
    await app.signIn('idp', browser);
    expect(await app.caller(browser)).toMatchObject({ email: person.email });
  });

  test('does not sign in a user who was disabled since', async () => {
    const app = await runOAuthApp({ database, idp });
    const person = newPerson();
    idp.person(person);
    await app.signIn();
    await database.updateTable('users').set({ disabled: true }).where('email', '=', person.email).execute();
    expect((await app.signIn()).status).toBe(403);
    expect(await audited()).toEqual(['oauth.create', 'key.create', 'oauth.reject account-disabled']);
  });

  test('separates providers: the same subject at another one is another user', async () => {
    const app = await runOAuthApp({ database, idp, host });
    idp.person(newPerson({ sub: '424242' }));
    await app.signIn();
    const emails = [{ email: 'other-one@example.org', primary: true, verified: true }];
    host.person({ id: 424242, login: 'other', email: null, emails });
    expect((await app.signIn('codehost')).status).toBe(200);
  });
});
