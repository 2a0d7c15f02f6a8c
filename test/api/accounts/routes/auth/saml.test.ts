import { createVerify } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { deleteExpired } from '#api/accounts/retention.ts';
import type { SamlProviderConfig } from '#api/accounts/saml/saml-provider.ts';
import type { Database } from '#api/postgres/database.ts';
import { type Browser, createBrowser } from '#test/support/browser.ts';
import {
  createSamlIdentityProvider,
  makeSamlKeyPair,
  type SamlIdentityProvider,
  type SamlKeyPair,
  type SamlValues,
} from '#test/support/services/saml-identity-provider.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { auditOf, PUBLIC_URL, runOAuthApp } from './oauth-fixture.ts';

let database: Database;
let idp: SamlIdentityProvider;
let keys: SamlKeyPair;

beforeAll(async () => {
  ({ database } = await usePostgres());
  const [own, theirs] = await Promise.all(['own', 'theirs'].map(makeSamlKeyPair));
  keys = own as SamlKeyPair;
  idp = createSamlIdentityProvider('https://idp.example.org', theirs as SamlKeyPair);
});

let people = 0;
const newAddress = () => {
  people += 1;
  return `saml-${people}@example.org`;
};

async function runSamlApp(config: Partial<SamlProviderConfig> = {}) {
  const corp: SamlProviderConfig = {
    id: 'corp',
    name: 'Corp',
    policy: { signUp: 'allowed', linking: 'unlinked', allowedDomains: ['example.org'] },
    entityId: idp.entityId,
    signInUrl: idp.signInUrl,
    certificates: [idp.keys.certificate],
    signing: keys,
    signatures: 'either',
    claims: {},
    idpInitiated: false,
    returnPaths: [],
    ...config,
  };
  const app = await runOAuthApp({ database, saml: [corp], registration: 'closed' });
  const metadata = await (await app.get('/api/auth/saml/corp/metadata')).text();
  const consumer = `${app.url}/api/auth/saml/corp/acs`;
  return {
    ...app,
    metadata,
    consumer,
    /** Signs in at the identity provider and returns the form that it would post. */
    async begin(browser: Browser, values: Partial<SamlValues> = {}, returnTo = '/detections') {
      const response = await browser.visit(`${app.url}/api/auth/signin/corp?returnTo=${encodeURIComponent(returnTo)}`);
      const request = new URL(response.headers.get('location') ?? '');
      const inResponseTo = await idp.readRequest(metadata, request);
      const SAMLResponse = await idp.respond(metadata, { values: { inResponseTo, ...values } });
      return { SAMLResponse, RelayState: request.searchParams.get('RelayState') ?? '' };
    },
    async post(browser: Browser, form: Record<string, string>) {
      const response = await browser.postFromElsewhere(consumer, form);
      const location = response.headers.get('location');
      return { status: response.status, next: location === null ? '' : new URL(location, app.url).href };
    },
  };
}

/** The form of a page, with values as written in the HTML. */
function formOf(html: string) {
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return {
    action: /<form method="post" action="([^"]*)"/.exec(html)?.[1],
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value])),
  };
}

const lastAudit = async () => (await auditOf(database)).at(-1);

describe('a sign-in by SAML', () => {
  test('starts here, is answered by a form of another site, and ends with a session', async () => {
    const app = await runSamlApp();
    expect(app.metadata).toContain(`Location="${PUBLIC_URL}/api/auth/saml/corp/acs"`);
    const browser = createBrowser();
    const nameId = newAddress();
    const { status, next } = await app.post(browser, await app.begin(browser, { nameId }));
    expect(status).toBe(303);
    expect(next).toContain(`${app.url}/api/auth/callback/corp?code=`);
    const first = await browser.visit(next, { headers: { accept: 'application/json' } });
    expect(first.status).toBe(200);
    expect(await first.json()).toMatchObject({ user: { email: nameId, role: 'user' }, returnTo: '/detections' });
    expect(await app.caller(browser)).toMatchObject({ email: nameId });

    const again = await app.post(browser, await app.begin(browser, { nameId }));
    expect((await browser.visit(again.next)).headers.get('location')).toBe('/detections');
    expect(await lastAudit()).toBe('oauth.sign-in');
  });

  test('accepts a response once, and its continuation once', async () => {
    const app = await runSamlApp();
    const browser = createBrowser();
    const form = await app.begin(browser, { nameId: newAddress() });
    const [one, other] = await Promise.all([app.post(browser, form), app.post(browser, form)]);
    expect([one.status, other.status].sort()).toEqual([303, 400]);
    expect(await lastAudit()).toBe('oauth.reject saml-replayed');
    const { next } = one.status === 303 ? one : other;
    expect((await browser.visit(next)).status).toBe(200);
    expect((await browser.visit(next)).status).toBe(400);
    // One hour later, at another server, and with the cookie of another sign-in.
    expect((await (await runSamlApp()).post(createBrowser(), form)).status).toBe(400);
    expect(await lastAudit()).toBe('oauth.reject saml-replayed');
  });

  test('signs in only the browser that requested it (login CSRF)', async () => {
    const app = await runSamlApp();
    const attacker = createBrowser();
    const victim = createBrowser();
    const { next } = await app.post(victim, await app.begin(attacker, { nameId: newAddress() }));
    expect((await victim.visit(next)).status).toBe(400);
    expect(await lastAudit()).toBe('oauth.reject no-pending-sign-in');
    // Neither can a browser that has its own sign-in in flight and a swapped state.
    const ownForm = await app.begin(victim, { nameId: newAddress() });
    const stolen = await app.begin(attacker, { nameId: newAddress() });
    const mixed = await app.post(victim, { ...stolen, RelayState: ownForm.RelayState });
    expect((await victim.visit(mixed.next)).status).toBe(400);
    expect(await lastAudit()).toBe('oauth.reject invalid-response');
    expect(await app.caller(victim)).toBeUndefined();
  });

  test('rejects a user outside the domains of the provider', async () => {
    const app = await runSamlApp();
    const browser = createBrowser();
    const { next } = await app.post(browser, await app.begin(browser, { nameId: 'mallory@other.example' }));
    expect((await browser.visit(next)).status).toBe(403);
    expect(await lastAudit()).toBe('oauth.reject domain-not-allowed');
  });
});

describe('a single logout', () => {
  test('of the provider ends all sessions of the account, and returns to the provider', async () => {
    const app = await runSamlApp({ signOutUrl: idp.signOutUrl });
    expect(app.metadata).toMatch(
      /<SingleLogoutService Binding="[^"]*:HTTP-Redirect" Location="[^"]*\/saml\/corp\/slo"/,
    );
    const nameId = newAddress();
    const [one, two, other] = [createBrowser(), createBrowser(), createBrowser()];
    for (const [browser, name] of [
      [one, nameId],
      [two, nameId],
      [other, newAddress()],
    ] as const) {
      const { next } = await app.post(browser, await app.begin(browser, { nameId: name }));
      await browser.visit(next);
      expect(await app.caller(browser)).toMatchObject({ email: name });
    }
    const query = idp.requestLogout(app.metadata, { id: '_logout-1', nameId });
    const slo = (text: string) => createBrowser().visit(`${app.url}/api/auth/saml/corp/slo?${text}`);
    const response = await slo(query);
    expect(response.status).toBe(302);
    const answer = new URL(response.headers.get('location') ?? '');
    expect(answer.href.startsWith(`${idp.signOutUrl}?`)).toBe(true);
    expect(answer.searchParams.get('RelayState')).toBe('state of the provider (1)!');
    const xml = inflateRawSync(Buffer.from(answer.searchParams.get('SAMLResponse') ?? '', 'base64')).toString();
    expect(xml).toMatch(/LogoutResponse[^>]* InResponseTo="_logout-1"/);
    expect(xml).toContain('urn:oasis:names:tc:SAML:2.0:status:Success');
    // Unparsed, because parsing changes the encoding of some characters.
    const raw = response.headers.get('location')?.split('?')[1] ?? '';
    const signed = raw.slice(0, raw.indexOf('&Signature='));
    const signature = Buffer.from(answer.searchParams.get('Signature') ?? '', 'base64');
    expect(createVerify('RSA-SHA256').update(signed).verify(keys.certificate, signature)).toBe(true);
    expect([await app.caller(one), await app.caller(two)]).toEqual([undefined, undefined]);
    expect(await app.caller(other)).toBeDefined();
    expect(await lastAudit()).toContain('session.end');

    // Accepted once: a repetition does not end a session that began later.
    const { next } = await app.post(one, await app.begin(one, { nameId }));
    await one.visit(next);
    const repeated = await createBrowser().visit(`${app.url}/api/auth/saml/corp/slo?${query}`, {
      headers: { accept: 'text/html' },
    });
    expect(repeated.status).toBe(400);
    expect(await repeated.text()).toContain('<h1>Sign-out not completed</h1>');
    const inGerman = await createBrowser().visit(`${app.url}/api/auth/saml/corp/slo?${query}`, {
      headers: { accept: 'text/html', 'accept-language': 'de-DE,en;q=0.5' },
    });
    expect(await inGerman.text()).toMatch(/<html lang="de">[\s\S]*<h1>Abmeldung nicht abgeschlossen<\/h1>/);
    expect(await lastAudit()).toBe('oauth.reject saml-replayed');
    expect(await app.caller(one)).toBeDefined();
    // For a person without an account there is no session to end.
    expect((await slo(idp.requestLogout(app.metadata, { nameId: newAddress() }))).status).toBe(302);
    // Signed by another signer.
    expect((await slo(idp.requestLogout(app.metadata, { nameId, key: keys.key }))).status).toBe(400);
    expect(await lastAudit()).toBe('oauth.reject saml-signature');
    expect(await app.caller(one)).toBeDefined();
  });

  test('of this service asks the provider to end the session, and its response leads to the sign-in page', async () => {
    const app = await runSamlApp({ signOutUrl: idp.signOutUrl, signOut: 'provider' });
    const nameId = newAddress();
    const browser = createBrowser();
    const { next } = await app.post(browser, await app.begin(browser, { nameId, id: '_assertion-1' }));
    await browser.visit(next);
    const [row] = await database
      .selectFrom('sessions')
      .select('providerSession')
      .orderBy('createdAt', 'desc')
      .execute();
    expect(row?.providerSession?.toString('latin1')).not.toContain(nameId);

    const location = await app.signOut(browser);
    expect(await app.caller(browser)).toBeUndefined();
    expect(location?.startsWith(`${idp.signOutUrl}?`)).toBe(true);
    const asked = await idp.readLogout(app.metadata, new URL(location ?? ''));
    expect(asked).toMatchObject({ nameID: nameId, request: { destination: idp.signOutUrl } });
    expect(JSON.stringify(asked.sessionIndex)).toContain('index of _assertion-1');

    const back = (query: string) => createBrowser().visit(`${app.url}/api/auth/saml/corp/slo?${query}`);
    expect((await back(idp.answerLogout(app.metadata))).headers.get('location')).toBe('/sign-in');
    expect(app.warnings).toEqual([]);
    const partial = await back(idp.answerLogout(app.metadata, { status: ['Success', 'PartialLogout'] }));
    expect([partial.status, partial.headers.get('location')]).toEqual([302, '/sign-in']);
    expect(app.warnings).toHaveLength(1);
    expect((await back(idp.answerLogout(app.metadata, { key: keys.key }))).status).toBe(400);
    expect((await back('RelayState=x')).status).toBe(400);
  });

  test('uses the POST binding in both directions if configured', async () => {
    const app = await runSamlApp({ signOutUrl: idp.signOutUrl, signOut: 'provider', signOutBinding: 'post' });
    expect(app.metadata).toMatch(/<SingleLogoutService Binding="[^"]*:HTTP-POST" Location="[^"]*\/saml\/corp\/slo"/);
    const nameId = newAddress();
    const browser = createBrowser();
    const signIn = async () => {
      const { next } = await app.post(browser, await app.begin(browser, { nameId }));
      await browser.visit(next);
    };
    const slo = `${app.url}/api/auth/saml/corp/slo`;
    const base64 = (xml: string) => Buffer.from(xml).toString('base64');
    const post = (form: Record<string, string>) => createBrowser().postFromElsewhere(slo, form);

    // The provider initiates the sign-out.
    await signIn();
    const SAMLRequest = base64(idp.postLogout(app.metadata, { id: '_posted-1', nameId }));
    const answered = await post({ SAMLRequest, RelayState: '"><b>' });
    expect(answered.status).toBe(200);
    const form = formOf(await answered.text());
    expect(form).toMatchObject({ action: idp.signOutUrl, fields: { RelayState: '&quot;&gt;&lt;b&gt;' } });
    expect(await idp.readLogoutAnswer(app.metadata, form.fields)).toMatchObject({
      response: { inResponseTo: '_posted-1', destination: idp.signOutUrl },
    });
    expect(answered.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+';/);
    expect(await app.caller(browser)).toBeUndefined();
    await signIn();
    expect((await post({ SAMLRequest })).status).toBe(400);
    expect(await lastAudit()).toBe('oauth.reject saml-replayed');
    expect((await post({ SAMLRequest: base64(idp.postLogout(app.metadata, { nameId, key: keys.key })) })).status).toBe(
      400,
    );
    expect(await lastAudit()).toBe('oauth.reject saml-signature');
    expect(await app.caller(browser)).toBeDefined();

    // The sign-out is initiated here.
    const location = (await app.signOut(browser)) ?? '';
    expect(location.startsWith(`${PUBLIC_URL}/api/auth/saml/corp/slo/request?message=`)).toBe(true);
    const page = await createBrowser().visit(app.here(location));
    const asked = formOf(await page.text());
    expect(asked.action).toBe(idp.signOutUrl);
    expect(await idp.readLogout(app.metadata, asked.fields)).toMatchObject({ nameID: nameId });
    expect((await createBrowser().visit(`${app.here(location)}x`)).status).toBe(404);
    const back = await post({ SAMLResponse: base64(idp.postLogoutAnswer(app.metadata)) });
    expect([back.status, back.headers.get('location')]).toEqual([303, '/sign-in']);

    // One message in a form.
    const SAMLResponse = SAMLRequest;
    expect((await post({ SAMLRequest, SAMLResponse })).status).toBe(400);
    expect((await post({ RelayState: 'x' })).status).toBe(400);
    expect(
      (await fetch(slo, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status,
    ).toBe(415);
  });

  test('shows a page in a browser without a message', async () => {
    const app = await runSamlApp({ signOutUrl: idp.signOutUrl });
    const slo = `${app.url}/api/auth/saml/corp/slo`;
    const page = await fetch(slo, { headers: { accept: 'text/html' } });
    expect(page.status).toBe(400);
    expect(await page.text()).toMatch(/<h1>Sign-out not completed<\/h1>[\s\S]*The request has no such message\./);
    const json = await fetch(slo);
    expect(await json.json()).toMatchObject({ issues: [{ field: 'SAMLRequest' }] });
  });

  test('does not start here unless configured', async () => {
    const app = await runSamlApp({ signOutUrl: idp.signOutUrl });
    const browser = createBrowser();
    const { next } = await app.post(browser, await app.begin(browser, { nameId: newAddress() }));
    await browser.visit(next);
    expect(await app.signOut(browser)).toBeUndefined();
    expect(await app.caller(browser)).toBeUndefined();
  });

  test('is not found without an address for responses, with a page in a browser', async () => {
    const app = await runSamlApp();
    expect(app.metadata).not.toContain('SingleLogoutService');
    const slo = '/api/auth/saml/corp/slo?SAMLRequest=x';
    expect((await app.get(slo)).status).toBe(404);
    for (const address of [slo, '/api/auth/saml/corp/slo/request?message=x']) {
      const page = await fetch(`${app.url}${address}`, { headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(await page.text()).toContain('<h1>Sign-out not completed</h1>');
    }
  });
});

test('administrators see the certificates, and whether all have expired', async () => {
  const { administration } = await runSamlApp({ signInUrl: 'http://127.0.0.1:1/sso' });
  const [provider] = await administration.list();
  expect(provider).toMatchObject({
    protocol: 'saml',
    callbackUrl: `${PUBLIC_URL}/api/auth/saml/corp/acs`,
    metadataUrl: `${PUBLIC_URL}/api/auth/saml/corp/metadata`,
    certificates: [{ subject: 'CN=theirs' }],
  });
  expect(provider?.certificates[0]?.endsAt.getTime()).toBeGreaterThan(Date.now());
  expect(await administration.test('corp')).toEqual({
    ok: false,
    problem: 'the provider cannot be reached: port 1 belongs to another protocol, and HTTP requests to it are blocked',
  });
});

describe('a response without a request', () => {
  test('is rejected by default', async () => {
    const app = await runSamlApp();
    const SAMLResponse = await idp.respond(app.metadata, { values: { nameId: newAddress() } });
    expect((await app.post(createBrowser(), { SAMLResponse })).status).toBe(400);
    expect(await lastAudit()).toBe('oauth.reject saml-unsolicited');
  });

  test('is accepted once if the operator permits it, and leads only to listed paths', async () => {
    const app = await runSamlApp({ idpInitiated: true, returnPaths: ['/cases'] });
    const nameId = newAddress();
    const respond = () => idp.respond(app.metadata, { values: { nameId } });
    const SAMLResponse = await respond();
    const browser = createBrowser();
    expect((await app.post(browser, { SAMLResponse })).status).toBe(200);
    expect(await app.caller(browser)).toMatchObject({ email: nameId });
    expect((await app.post(browser, { SAMLResponse })).status).toBe(400);
    expect(await lastAudit()).toBe('oauth.reject saml-replayed');
    const leads = async (RelayState: string) =>
      (await app.post(browser, { SAMLResponse: await respond(), RelayState })).next.replace(app.url, '');
    expect(await leads('/cases')).toBe('/cases');
    for (const elsewhere of ['https://evil.example/', '//evil.example', '/admin', ''])
      expect(await leads(elsewhere)).toBe('/');
  });
});

describe('the address for responses', () => {
  test('accepts a form with one response, and nothing else', async () => {
    const app = await runSamlApp();
    const post = async (body: string, type = 'application/x-www-form-urlencoded', path = 'corp') => {
      const url = app.consumer.replace('/corp/', `/${path}/`);
      return (await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })).status;
    };
    expect(await post('')).toBe(400);
    expect(await post('RelayState=a')).toBe(400);
    expect(await post('SAMLResponse=a&SAMLResponse=b')).toBe(400);
    expect(await post('{"SAMLResponse":"a"}', 'application/json')).toBe(415);
    expect(await post('SAMLResponse=a', undefined, 'staff')).toBe(404);
    expect((await app.get('/api/auth/saml/staff/metadata')).status).toBe(404);
    // No other route accepts forms.
    const elsewhere = { method: 'POST', body: new URLSearchParams({ a: 'b' }) };
    expect((await fetch(`${app.url}/api/auth/signin/corp`, elsewhere)).status).not.toBe(200);
  });

  test('assertions are forgotten when their own times reject them', async () => {
    await database
      .updateTable('samlAssertions')
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .execute();
    expect((await deleteExpired(database)).samlAssertions).toBeGreaterThan(0);
  });
});
