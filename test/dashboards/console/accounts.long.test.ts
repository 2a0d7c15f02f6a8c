import { TOTP } from 'otpauth';
import { afterAll, expect, test } from 'vitest';
import { GERMAN } from '#dashboards/console/src/language/german.ts';
import { useChromium } from '#test/support/chromium.ts';
import { englishCatalogues, stringsOf, wordsOf } from '#test/support/console-catalogues.ts';
import { useConsoleServer } from '#test/support/console-server.ts';
import { freePort } from '#test/support/services/free-ports.mjs';
import { startIdentityProvider } from '#test/support/services/identity-provider.ts';
import { makeSamlKeyPair } from '#test/support/services/saml-identity-provider.ts';
import { waitFor } from '#test/support/wait-for.ts';

const PASSWORD = 'otter lamp quarry 77';

/** Tests the account pages other than the sign-in pages; accounts.test.ts tests the sign-in methods. */

// The identity provider redirects only to registered URIs, so the port of the server must be known before it starts.
const port = await freePort();
const redirectUris = ['idp', 'staff'].map((id) => `http://127.0.0.1:${port}/api/auth/callback/${id}`);
const idp = await startIdentityProvider({ redirectUris, signedOutUris: [`http://127.0.0.1:${port}/sign-in`] });
afterAll(() => idp.stop());
const server = await useConsoleServer({
  PORT: String(port),
  IDP_ISSUER: idp.issuer,
  IDP_CLIENT_ID: idp.clientId,
  IDP_CLIENT_SECRET: idp.clientSecret,
  IDENTITY_PROVIDERS: JSON.stringify([
    {
      id: 'staff',
      name: 'Staff',
      protocol: 'oidc',
      issuer: idp.issuer,
      clientId: idp.clientId,
      clientSecret: idp.clientSecret,
      allowedDomains: ['example.org'],
      signOut: 'provider',
      roles: { claim: 'groups', map: { soc: 'analyst' } },
    },
    {
      id: 'corp',
      name: 'Corporate sign-in',
      protocol: 'saml',
      entityId: 'https://idp.example.org',
      signInUrl: `${idp.issuer}/sso`,
      certificates: [(await makeSamlKeyPair('idp.example.org')).certificate],
      allowedDomains: ['example.org'],
    },
  ]),
  OUTBOUND_ALLOW: new URL(idp.issuer).host,
  TRAPLINE_SECOND_FACTOR_ROLES: 'admin',
});
const chromium = useChromium();
/**
 * Returns two consecutive codes of an authenticator app. The server accepts the second after the first, also when the
 * time step changes in between.
 */
function authenticatorApp(secret: string): [now: string, next: string] {
  const totp = new TOTP({ secret });
  const at = Date.now();
  return [totp.generate({ timestamp: at }), totp.generate({ timestamp: at + 30_000 })];
}

/** Time limit of a test, in milliseconds. An accessibility check of one page takes seconds on a loaded machine. */
const PATIENCE_MS = 300_000;

test(
  'with closed registration, no page offers it and its address names whom to ask',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    await page.goto(`${server.url}/sign-in`);
    await page.getByRole('link', { name: 'Create account' }).waitFor();
    await page.route('**/api/auth/providers', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), registration: 'closed' } });
    });
    await page.goto(`${server.url}/register`);
    await page.getByRole('heading', { name: 'Registration is closed' }).waitFor();
    await page.getByText('Ask an administrator').waitFor();
    expect(await page.getByLabel('E-mail address').count()).toBe(0);
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByRole('link', { name: 'Sign in with an existing account' }).click();
    await page.getByRole('heading', { name: 'Sign in to Trapline' }).waitFor();
    expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Forgot password?' }).waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'shows an error in a browser that stores no cookies, instead of returning to the sign-in page silently',
  async () => {
    const { page, problems } = await chromium.open();
    const { email, password } = await server.account('user');
    // Forwards the response of the server without its cookie.
    await page.route('**/api/auth/callback/credentials', async (route) => {
      const response = await fetch(route.request().url(), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        // Firefox does not report the body of the request, so it is sent again here.
        body: JSON.stringify({ email, password }),
      });
      await route.fulfill({
        status: response.status,
        contentType: 'application/json',
        headers: { ratelimit: response.headers.get('ratelimit') ?? '' },
        body: await response.text(),
      });
    });
    await page.goto(`${server.url}/sign-in`);
    await page.getByLabel('E-mail address').fill(email);
    await page.locator('input[name=password]').fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Allow cookies for this site').waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a sign-out also ends the session at the provider and returns to the sign-in page',
  async () => {
    const { page, problems } = await chromium.open();
    idp.person({ sub: 'leaves', email: 'leaves@example.org', email_verified: true, preferred_username: 'leaves' });
    await page.goto(`${server.url}/sign-in?returnTo=%2Fprofile`);
    await page.getByRole('link', { name: 'Sign in with Staff' }).click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.getByText('leaves@example.org').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Sign out' }).click();
    // This button is on the sign-out page of the identity provider.
    await page.getByRole('button', { name: 'Yes, sign me out' }).click();
    await page.waitForURL(`${server.url}/sign-in`);
    await page.getByRole('heading', { name: 'Sign in to Trapline' }).waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'an administrator sees the identity providers and tests their connections',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    await server.visit(watched, 'admin', '/admin/identity-providers');
    await page.getByText('Corporate sign-in').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByText('Corporate sign-in').click();
    const dialog = page.getByRole('dialog', { name: 'Identity provider Corporate sign-in' });
    await dialog.getByText(`${server.url}/api/auth/saml/corp/acs`).waitFor();
    await dialog.getByText('CN=idp.example.org').waitFor();
    await dialog.getByRole('button', { name: 'Test connection' }).click();
    await dialog.getByText('The provider responds.').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await idp.stop();
    await page
      .getByText(/^Staff/)
      .first()
      .click();
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('The provider cannot be used').waitFor();
    await page.getByText(/the provider cannot be reached: .* \((ECONNREFUSED|ECONNRESET|UND_ERR_SOCKET)\)/).waitFor();
    await idp.start();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a user changes the profile, gets an error for a taken name, and signing out ends the session',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    const other = await server.account('user');
    const me = await server.visit(watched, 'user', '/profile');
    const name = page.getByLabel('User name');
    await name.fill(other.username);
    await page.keyboard.press('Enter');
    await page.getByText('This name is taken').waitFor();
    const usage = page.getByRole('row', { name: /^API keys/ });
    expect(await usage.getByRole('cell').allTextContents()).toEqual(['1', '5,000']);
    expect(await watched.inaccessible()).toEqual([]);
    await name.fill(`${me.username.slice(0, 28)}-new`);
    await page.getByLabel('Picture').fill('https://example.org/me.png');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Profile saved.').waitFor();
    await page
      .getByRole('banner')
      .getByRole('button', { name: `${me.username.slice(0, 28)}-new` })
      .waitFor();
    const next = `new-${me.email}`;
    await page.getByLabel('New e-mail address').fill(next);
    await page.getByLabel('Password (to confirm)').fill(me.password);
    await page.getByRole('button', { name: 'Change address' }).click();
    await page.getByText(`If no other account uses ${next}`).waitFor();
    const link = await server.mailbox.find(next, /(http\S+\/auth\/confirm-email\?token=\S+)/);
    const confirmation = await watched.context.newPage();
    await confirmation.goto(link);
    await confirmation.getByRole('button', { name: 'Confirm address' }).click();
    await confirmation.getByText(`The address of your account is now ${next}.`).waitFor();
    expect(confirmation.url()).not.toContain('token');
    await confirmation.close();
    await page.reload();
    await page.getByText(next, { exact: true }).first().waitFor();
    await page.getByLabel('Current password').fill('a wrong guess');
    await page.getByLabel('New password').fill('quartz-ladder-moss-12');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText(/^The current password is wrong/).waitFor();
    await page.getByLabel('Current password').fill(me.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed.', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Sessions' }).getByText('This session', { exact: true }).waitFor();
    // The user menu selects UTC, the header shows it, and the browser stores the choice.
    const banner = page.getByRole('banner');
    await banner.getByRole('button', { name: `${me.username.slice(0, 28)}-new` }).click();
    const utc = page.getByRole('menuitemradio', { name: 'UTC', exact: true });
    await utc.waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await utc.click();
    await banner.getByText('UTC', { exact: true }).waitFor();
    await page.reload();
    await banner.getByText('UTC', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Trapline' }).waitFor();
    expect((await page.request.get(`${server.url}/api/user/data`)).status()).toBe(401);
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a page without access names the role that it needs',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    await server.visit(watched, 'user', '/detections');
    const refusal = page.getByRole('main').getByRole('alert').first();
    await refusal.getByText('You need the Analyst role to see detections').waitFor();
    await refusal.getByText('Ask an administrator for access.').waitFor();
    expect(await page.getByText('detections:read').count()).toBe(0);
    expect(await watched.inaccessible()).toEqual([]);
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'keys are created, shown once, inspected and revoked by keyboard alone; usage is a plot and a table',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    await server.visit(watched, 'user', '/keys');
    const rows = page.getByRole('grid', { name: 'Your keys' }).locator('[data-index]');
    await rows.first().waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.keyboard.type('detector on edge-1');
    // No scope is preselected.
    expect(await dialog.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: /^workflows:read/ }).press('Space');
    await dialog.getByText('Restrictions (networks').press('Enter');
    await dialog.getByLabel('Networks').fill('127.0.0.0/8');
    await dialog.getByLabel('Requests per 24 hours').fill('5000');
    expect(await watched.inaccessible()).toEqual([]);
    await dialog.getByRole('button', { name: 'Create key' }).press('Enter');
    const key = (await dialog.getByRole('region', { name: 'API key' }).textContent()) ?? '';
    expect((await fetch(`${server.url}/api/v1/workflows`, { headers: { 'x-api-key': key } })).status).toBe(200);
    await dialog.getByRole('button', { name: 'I have saved the key' }).press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(key);

    await rows.filter({ hasText: 'detector on edge-1' }).focus();
    await page.keyboard.press('End');
    await page.locator('[data-index="1"]:focus').waitFor();
    await page.keyboard.press('Home');
    await page.locator('[data-index="0"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Requests of this key').waitFor();
    await page.getByText('127.0.0.0/8').waitFor();
    await page.getByText('5,000 requests per 24 hours').waitFor();
    await page.getByRole('button', { name: 'Restrict…' }).press('Enter');
    const restrict = page.getByRole('dialog', { name: 'Restrict the key' });
    await restrict.getByLabel('Requests per minute').fill('60');
    expect(await watched.inaccessible()).toEqual([]);
    await restrict.getByRole('button', { name: 'Save restrictions' }).press('Enter');
    await page.getByText('60 requests per minute, 5,000 requests per 24 hours').waitFor();
    await page.getByRole('button', { name: 'Rotate…' }).press('Enter');
    const rotate = page.getByRole('dialog', { name: 'Rotate the key' });
    await rotate.getByRole('button', { name: 'Rotate key' }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await rotate.getByRole('button', { name: 'Rotate key' }).press('Enter');
    const next = (await rotate.getByRole('region', { name: 'API key' }).textContent()) ?? '';
    for (const secret of [key, next])
      expect((await fetch(`${server.url}/api/v1/workflows`, { headers: { 'x-api-key': secret } })).status).toBe(200);
    await rotate.getByRole('button', { name: 'I have saved the key' }).press('Enter');
    await page.getByText('Previous secret valid until').waitFor();
    // A dialog that is closing has no accessible name.
    await waitFor('the closed dialog to be gone', async () => (await page.getByRole('dialog').count()) === 1);
    await dialog.getByRole('button', { name: 'Revoke' }).press('Enter');
    await dialog.getByText('Revoke the key detector on edge-1?').waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await dialog.getByRole('button', { name: 'Revoke key' }).press('Enter');
    await rows.filter({ hasText: 'detector on edge-1' }).getByText('revoked').waitFor();
    expect((await fetch(`${server.url}/api/v1/workflows`, { headers: { 'x-api-key': key } })).status).toBe(401);

    const usage = page.getByRole('region', { name: 'Your requests in the last 24 hours' }).first();
    await usage.getByRole('img').waitFor();
    await usage.getByRole('button', { name: 'As a table' }).press('Enter');
    expect(await usage.getByRole('row').count()).toBe(25);
    expect(await watched.inaccessible()).toEqual([]);
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'the console switches to German and back, without English text left from a catalogue',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    // An administrator must have a second factor on this server.
    const { email, password, username } = await server.account('admin');
    const post = (path: string, data: object = {}) =>
      watched.context.request.post(`${server.url}/api/auth/${path}`, { data });
    await post('callback/credentials', { email, password });
    const { secret } = (await (await post('second-factor/totp')).json()) as { secret: string };
    await post('second-factor/totp/confirm', { code: authenticatorApp(secret)[0] });
    await page.goto(`${server.url}/detections`);
    const menu = page.getByRole('banner').getByRole('button', { name: username });
    await page.getByRole('heading', { name: 'Detections' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await menu.click();
    await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();

    const german = new Set(Object.values(GERMAN).flatMap(wordsOf));
    // "default" is no untranslated text: it is the name of the first key of each new account.
    const english = [...(await englishCatalogues()).values()]
      .flatMap(stringsOf)
      .filter((text) => !german.has(text) && text !== 'default');
    for (const [address, heading] of [
      ['/detections', 'Erkennungen'],
      ['/events', 'Ereignisse'],
      ['/hosts', 'Hosts'],
      ['/rules', 'Regeln'],
      ['/keys', 'Schlüssel und Nutzung'],
      ['/profile', 'Profil'],
      ['/admin/users', 'Benutzer'],
      ['/dashboard', 'System'],
    ] as const) {
      if (address !== '/detections') await page.goto(`${server.url}${address}`);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      const waits = page.getByRole('progressbar');
      while ((await waits.count()) > 0) await waits.first().waitFor({ state: 'detached' });
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      const shown = new Set(await page.evaluate<string[]>(SHOWN_TEXTS));
      expect(english.filter((text) => shown.has(text))).toEqual([]);
    }
    expect(await watched.inaccessible()).toEqual([]);
    // This page is not part of the console: a password reset link without its token.
    await page.goto(`${server.url}/auth/reset-password`);
    await page.getByRole('heading', { name: 'Neues Passwort setzen' }).waitFor();
    await page.getByText('Dieser Link ist unvollständig.').waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await page.goto(`${server.url}/dashboard`);

    await menu.click();
    await page.getByRole('menuitemradio', { name: 'English' }).click();
    await page.getByRole('button', { name: 'As a table' }).first().waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

/** Expression that returns the visible texts of a page and the labels for screen readers. */
const SHOWN_TEXTS = `{
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [document.title];
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest('noscript, script, style')) texts.push(walker.currentNode.textContent);
  for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
    for (const element of document.querySelectorAll('[' + name + ']')) texts.push(element.getAttribute(name));
  texts.map((text) => text.trim()).filter((text) => text !== '');
}`;

test(
  'a link to the sign-in page cannot lead to another site, before signing in or with a session',
  async () => {
    const { page, context, problems } = await chromium.open();
    const left: string[] = [];
    await page.route(
      ({ hostname }) => hostname === 'evil.example',
      (route) => {
        left.push(route.request().url());
        return route.fulfill({ contentType: 'text/html', body: 'another site' });
      },
    );
    const signInAddress = (returnTo: string) => `${server.url}/sign-in?returnTo=${encodeURIComponent(returnTo)}`;
    const { email, password } = await server.account('user');
    await page.goto(signInAddress('https://evil.example/'));
    await page.getByLabel('E-mail address').fill(email);
    await page.locator('input[name=password]').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${server.url}/first-steps`);

    for (const returnTo of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      '/%2f%2fevil.example/',
      '/\t/evil.example/',
      'javascript:location="https://evil.example/"',
      '/sign-in?returnTo=https://evil.example/',
    ]) {
      await page.goto(signInAddress(returnTo));
      await page.waitForURL(`${server.url}/first-steps`);
      await page.getByRole('heading', { name: 'First steps' }).waitFor();
    }
    await page.goto(signInAddress(`${server.url}/profile`));
    await page.waitForURL(`${server.url}/profile`);
    expect(left).toEqual([]);
    expect(context.pages()).toHaveLength(1);
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a user who forgot the password sets a new one with a mailed link, whose token leaves the address immediately',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    const { email } = await server.account('user');
    await page.goto(`${server.url}/sign-in`);
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    // Both pages have a field with this label, so the test waits for the heading first.
    await page.getByRole('heading', { name: 'Forgot password?' }).waitFor();
    await page.getByLabel('E-mail address').fill(email);
    expect(await watched.inaccessible()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByText('Check your e-mail').waitFor();
    const link = await server.mailbox.find(email, /(http\S+\/auth\/reset-password\?token=[\w-]+)/);

    await page.goto(link);
    await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
    expect(page.url()).toBe(`${server.url}/auth/reset-password`);
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByLabel('Repeat password').fill(`${PASSWORD}8`);
    await page.keyboard.press('Enter');
    await page.getByText('The passwords do not match.').waitFor();
    await page.getByLabel('Repeat password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('Password set.').waitFor();
    // The focus is on the link to the sign-in page.
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in to Trapline' }).waitFor();
    await page.getByLabel('E-mail address').fill(email);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${server.url}/first-steps`);

    await page.getByRole('heading', { name: 'First steps' }).waitFor();
    await page.goto(link);
    await page.getByText('This link was used before or has expired.').waitFor();
    expect(await page.getByLabel('New password').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Request a new link' }).click();
    await page.getByRole('heading', { name: 'Forgot password?' }).waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);
