import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from '#api/postgres/database.ts';
import { issuesOf } from '#test/api/running-app.ts';
import { openRedisState } from '#test/api/shared-state/redis-state.ts';
import { createBrowser } from '#test/support/browser.ts';
import { type CodeHostService, startCodeHost } from '#test/support/services/code-host.ts';
import { type IdentityProviderService, startIdentityProvider } from '#test/support/services/identity-provider.ts';
import { startRedis } from '#test/support/services/redis.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { auditOf, REDIRECT_URIS, runOAuthApp } from './oauth-fixture.ts';

const MALLORY = { sub: 'mallory', email: 'mallory@example.org', email_verified: true };
const VICTIM = { sub: 'victim', email: 'victim@example.org', email_verified: true };
const JSON_ONLY = { headers: { accept: 'application/json' } };

let idp: IdentityProviderService;
let host: CodeHostService;
let database: Database;
beforeAll(async () => {
  ({ database } = await usePostgres());
  idp = await startIdentityProvider({ redirectUris: REDIRECT_URIS });
  host = await startCodeHost();
});
afterAll(() => Promise.all([idp.stop(), host.stop()]));

let before = 0;
const audited = async () => (await auditOf(database)).slice(before);
beforeEach(async () => {
  idp.person(MALLORY);
  before = (await auditOf(database)).length;
});

describe('a callback', () => {
  test('of another user’s sign-in does nothing in this browser (login CSRF, stolen code without the cookie)', async () => {
    const app = await runOAuthApp({ database, idp });
    const callback = await app.goOut(createBrowser());
    const other = createBrowser();
    const response = await other.visit(callback, JSON_ONLY);
    expect(response.status).toBe(400);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await audited()).toEqual(['oauth.reject no-pending-sign-in']);
  });

  test('with the state of another sign-in is rejected', async () => {
    const app = await runOAuthApp({ database, idp });
    const victim = createBrowser();
    idp.person(VICTIM);
    await app.goOut(victim);
    idp.person(MALLORY);
    const response = await victim.visit(await app.goOut(createBrowser()), JSON_ONLY);
    expect(response.status).toBe(400);
    expect(await app.caller(victim)).toBeUndefined();
    expect(await audited()).toEqual(['oauth.reject state-mismatch']);
  });

  test('with the code of another sign-in is rejected (code injection: PKCE and nonce)', async () => {
    const app = await runOAuthApp({ database, idp });
    const attacker = createBrowser();
    const own = new URL(await app.goOut(attacker));
    idp.person(VICTIM);
    const stolen = new URL(await app.goOut(createBrowser())).searchParams.get('code') ?? '';
    own.searchParams.set('code', stolen);
    expect((await attacker.visit(own.href, JSON_ONLY)).status).toBe(400);
    expect(await app.caller(attacker)).toBeUndefined();
    expect(await audited()).toEqual(['oauth.reject invalid-response']);
  });

  test('with a nonce that was changed on the way is rejected', async () => {
    const app = await runOAuthApp({ database, idp });
    const browser = createBrowser();
    const out = new URL((await browser.visit(`${app.url}/api/auth/signin/idp`)).headers.get('location') ?? '');
    out.searchParams.set('nonce', 'another');
    const callback = app.here(await browser.follow(out.href, REDIRECT_URIS[0] ?? ''));
    expect((await browser.visit(callback, JSON_ONLY)).status).toBe(400);
    expect(await audited()).toEqual(['oauth.reject invalid-response']);
  });

  test('works once, also when it is sent concurrently with the same cookie', async () => {
    const app = await runOAuthApp({ database, idp });
    const browser = createBrowser();
    const callback = await app.goOut(browser);
    const cookie = [...browser.cookies(app.url)].map((pair) => pair.join('=')).join('; ');
    const visit = () => fetch(callback, { redirect: 'manual', headers: { cookie, accept: 'application/json' } });
    const statuses = (await Promise.all(Array.from({ length: 10 }, visit))).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 400)).toHaveLength(1);
    expect((await audited()).filter((entry) => entry === 'oauth.reject replayed')).toHaveLength(9);
  });

  test('at another provider than the sign-in is rejected (mix-up)', async () => {
    const app = await runOAuthApp({ database, idp, host });
    const browser = createBrowser();
    const callback = await app.goOut(browser);
    const mixed = callback.replace('/callback/idp', '/callback/codehost');
    expect((await browser.visit(mixed, JSON_ONLY)).status).toBe(400);
    expect(await audited()).toEqual(['oauth.reject no-pending-sign-in']);
    const named = new URL(callback);
    named.searchParams.set('iss', 'https://evil.example');
    expect((await browser.visit(named.href, JSON_ONLY)).status).toBe(400);
  });

  test('with repeated parameters is rejected', async () => {
    const app = await runOAuthApp({ database, idp });
    const browser = createBrowser();
    const callback = await app.goOut(browser);
    const { searchParams } = new URL(callback);
    for (const name of ['state', 'code']) {
      const twice = `${callback}&${name}=${encodeURIComponent(searchParams.get(name) ?? '')}`;
      expect((await browser.visit(twice, JSON_ONLY)).status).toBe(400);
    }
    expect(await app.caller(browser)).toBeUndefined();
  });

  test('that declines is reported without repeating its text', async () => {
    const app = await runOAuthApp({ database, idp });
    idp.person(undefined);
    const browser = createBrowser();
    const callback = `${await app.goOut(browser)}&error_description=%3Cscript%3E`;
    const response = await browser.visit(callback, { headers: { accept: 'text/html' } });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(html).toContain('<a href="/api/auth/signin/idp">Try again</a>');
    expect(html).toContain('<a href="/sign-in">Sign in another way</a>');
    expect(response.headers.get('content-security-policy')).toContain("style-src 'self'");
    expect(html).not.toMatch(/script|access_denied/);
    expect(await audited()).toEqual(['oauth.reject denied']);
  });

  test('is rejected after 20 failures within ten minutes, without another audit entry', async () => {
    const app = await runOAuthApp({ database, idp });
    const visit = () => fetch(`${app.url}/api/auth/callback/idp?state=x&code=y`, JSON_ONLY);
    const statuses = (await Promise.all(Array.from({ length: 30 }, visit))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(20);
    const last = await visit();
    expect(last.status).toBe(429);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(500);
    expect(await audited()).toHaveLength(20);
  });

  test('is rejected while Redis is unavailable, because its first use cannot be proven, and accepted after that', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const shared = await openRedisState({ url: redis.url, prefix: 'test:' });
    onTestFinished(() => shared.close());
    const app = await runOAuthApp({ database, idp, shared });
    const browser = createBrowser();
    const callback = await app.goOut(browser);
    await redis.kill9();
    await waitFor('the loss to be noticed', () => shared.state() === 'down');
    const response = await browser.visit(callback, JSON_ONLY);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await app.caller(browser)).toBeUndefined();
    await redis.restart();
    await waitFor('Redis to be back', () => shared.state() === 'ok');
    expect((await browser.visit(callback, JSON_ONLY)).status).toBe(302);
    expect(await app.caller(browser)).toMatchObject({ email: MALLORY.email });
  });
});

describe('the cookie of a pending sign-in', () => {
  test('is bound to the host over https, hidden from scripts, and deleted after the sign-in', async () => {
    const app = await runOAuthApp({ database, idp, secure: true });
    const out = await fetch(`${app.url}/api/auth/signin/idp`, { redirect: 'manual' });
    const [line = ''] = out.headers.getSetCookie();
    expect(line).toMatch(/^__Host-trapline-oauth=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/);
    const browser = createBrowser();
    const response = await app.signIn('idp', browser);
    const lines = response.headers.getSetCookie();
    expect(lines[0]).toMatch(/^__Host-trapline-oauth=; .*Max-Age=0$/);
    expect(lines[1]).toMatch(
      /^__Host-trapline-session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=[^;]+ GMT$/,
    );
  });

  test('encrypts state, nonce and verifier', async () => {
    const app = await runOAuthApp({ database, idp });
    const out = await fetch(`${app.url}/api/auth/signin/idp`, { redirect: 'manual' });
    const state = new URL(out.headers.get('location') ?? '').searchParams.get('state') ?? '';
    const cookie = out.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    expect(state.length).toBeGreaterThan(40);
    const readable = cookie.split(/[.=]/).map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    expect(`${cookie} ${readable.join(' ')}`).not.toContain(state);
  });
});

describe('the return path', () => {
  test('is kept if it is a local path', async () => {
    const app = await runOAuthApp({ database, idp });
    await app.signIn();
    const browser = createBrowser();
    const response = await browser.visit(await app.goOut(browser, 'idp', '/dashboard?tab=1#x'), JSON_ONLY);
    expect(response.headers.get('location')).toBe('/dashboard?tab=1#x');
  });

  test.each(['https://evil.example', '//evil.example', '/\\evil.example', '/.//evil.example', '/\t/evil.example'])(
    '%j is rejected before the redirect (open redirect)',
    async (returnTo) => {
      const app = await runOAuthApp({ database, idp });
      const response = await app.get(`/api/auth/signin/idp?returnTo=${encodeURIComponent(returnTo)}`);
      expect(response.status).toBe(400);
      expect(await issuesOf(response)).toMatchObject([{ field: 'returnTo' }]);
    },
  );
});

describe('an unavailable provider', () => {
  test('affects only its own sign-ins, and works again after the outage', async () => {
    const app = await runOAuthApp({ database, idp, host });
    const browser = createBrowser();
    const callback = await app.goOut(browser);
    await idp.stop();
    const finishing = await browser.visit(callback, JSON_ONLY);
    expect(finishing.status).toBe(503);
    expect(finishing.headers.get('retry-after')).toBe('30');

    const other = await runOAuthApp({ database, idp, host });
    const beginning = await other.get('/api/auth/signin/idp', { accept: 'text/html' });
    expect(beginning.status).toBe(503);
    expect(await beginning.text()).toContain('does not respond as expected');
    expect((await other.get('/api/auth/providers')).status).toBe(200);
    const emails = [{ email: 'still@example.org', primary: true, verified: true }];
    host.person({ id: 1, login: 'still', email: null, emails });
    expect((await other.signIn('codehost')).status).toBe(200);

    await idp.start();
    const back = await waitFor('sign-in to work again', async () => (await other.signIn('idp')).status < 400);
    expect(back).toBe(true);
    expect(JSON.stringify(app.warnings)).not.toMatch(/code=|state=/);
  });
});

describe('the description of these routes', () => {
  test('has both forms of a response', async () => {
    const app = await runOAuthApp({ database, idp });
    await app.app.ready();
    const { paths = {} } = app.app.swagger();
    const callback = paths['/api/auth/callback/{provider}']?.get?.responses as Record<string, { content: object }>;
    expect(Object.keys(callback).sort()).toEqual(['200', '302', '400', '403', '404', '429', '431', '503']);
    expect(Object.keys(callback['200']?.content ?? {})).toEqual(['application/json', 'text/html']);
  });
});
