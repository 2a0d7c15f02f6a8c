import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { HAS_AUTHENTICATOR, useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';
import { randomName } from '#test/support/random-name.ts';
import { freePort } from '#test/support/services/free-ports.mjs';
import { startIdentityProvider } from '#test/support/services/identity-provider.ts';
import { makeSamlKeyPair } from '#test/support/services/saml-identity-provider.ts';

const run = promisify(execFile);
const PASSWORD = 'otter lamp quarry 77';

// The identity provider redirects only to registered URIs, so the port of the server must be known before it starts.
const port = await freePort();
const redirectUris = ['idp', 'staff'].map((id) => `http://127.0.0.1:${port}/api/auth/callback/${id}`);
const idp = await startIdentityProvider({ redirectUris });
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

async function secretOf(page: Page): Promise<string> {
  const text = await page.getByRole('region', { name: 'Secret of the authenticator app' }).textContent();
  return (text ?? '').replaceAll(' ', '');
}

/** Time limit of a test, in milliseconds. An accessibility check of one page takes seconds on a loaded machine. */
const PATIENCE_MS = 300_000;

test(
  'the link that the first start prints makes the first account, which sets up its second factor and is in the console; once',
  async () => {
    const [link = ''] = /http\S+\/auth\/set-up\?token=\S+/.exec(server.process.output()) ?? [];
    const { page, problems, inaccessible } = await chromium.open();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Create the first administrator' }).waitFor();
    expect(page.url()).not.toContain('token');
    await page.getByLabel('E-mail address').fill('first@example.org');
    await page.getByLabel('User name').fill('first');
    await page.getByLabel('Password').fill('first@example.org');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText("This password can't be used").waitFor();
    expect(await inaccessible()).toEqual([]);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    expect(await inaccessible()).toEqual([]);
    const [, next] = authenticatorApp(await secretOf(page));
    await page.getByLabel('Code from the app').fill(next);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Recovery codes' }).waitFor();
    expect(await inaccessible()).toEqual([]);
    await page.getByRole('button', { name: 'I have saved the codes' }).click();
    await page.getByRole('heading', { name: 'Detections' }).waitFor();
    expect(problems).toEqual([]);

    const second = await chromium.open();
    await second.page.goto(link);
    await second.page.getByLabel('E-mail address').fill('second@example.org');
    await second.page.getByLabel('User name').fill('second');
    await second.page.getByLabel('Password').fill(PASSWORD);
    await second.page.keyboard.press('Enter');
    await second.page.getByText('This link has expired, or an administrator already exists.').waitFor();
  },
  PATIENCE_MS,
);

test(
  'a user signs in with a password and reaches the requested page; a wrong password is reported',
  async () => {
    const watched = await chromium.open();
    const { page, problems } = watched;
    const { email, password } = await server.account('user');
    await page.goto(`${server.url}/profile`);
    await page.getByRole('heading', { name: 'Sign in to Trapline' }).waitFor();
    await page.getByText('You are not signed in. After signing in').waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    await page.getByLabel('E-mail address').fill(email);
    await page.locator('input[name=password]').fill('not this one at all');
    await page.keyboard.press('Enter');
    const refusal = page.getByRole('alert');
    await refusal.getByText('Wrong e-mail or password.').waitFor();
    expect(await refusal.textContent()).not.toContain('session');

    await page.locator('input[name=password]').fill(password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${server.url}/profile`);
    await page.getByRole('heading', { name: 'Profile' }).waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a user registers with a mailed code, keeps the key that is shown once, and sees the first steps',
  async () => {
    const watched = await chromium.open({ phone: true, dark: true });
    const { page, problems } = watched;
    const username = randomName('new').slice(0, 32);
    const email = `${username}@example.org`;
    await page.goto(`${server.url}/sign-in`);
    await page.getByRole('link', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Create account' }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    const code = await server.mailbox.find(email, /\b(\d{6})\b/);

    await page.getByLabel('Code').fill(code === '123456' ? '654321' : '123456');
    await page.getByLabel('User name').fill(username);
    await page.locator('input[name=password]').fill(PASSWORD);
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('alert').getByText('the code is invalid or has expired').waitFor();
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Create account' }).click();

    await page.getByRole('heading', { name: 'Account created' }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    const key = (await page.getByRole('region', { name: 'API key' }).textContent()) ?? '';
    await page.getByRole('button', { name: 'Copy: API key' }).click();
    await page.getByRole('button', { name: 'Copy: API key' }).getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    expect((await fetch(`${server.url}/api/v1/workflows`, { headers: { 'x-api-key': key } })).status).toBe(200);

    await page.getByRole('link', { name: 'I saved the key – continue' }).click();
    await page.waitForURL(`${server.url}/first-steps`);
    await page.getByText('Your role is user').waitFor();
    await page.getByText('Not visible to your role').first().waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByText('You need the Analyst role and a key').waitFor();
    const { data: found } = (await server.operator('GET', `/api/admin/users?q=${username}`)) as {
      data: { id: string }[];
    };
    await server.operator('PATCH', `/api/admin/users/${found[0]?.id}`, { role: 'analyst' });
    await page.reload();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Test event stored').waitFor();
    const { data } = (await server.operator('GET', '/api/events?hostname=first-steps')) as { data: unknown[] };
    expect(data).toHaveLength(1);
    // The curl command on the page sends a valid event with the current time after the shell has expanded it.
    const line = (await page.getByRole('region', { name: 'Test event with curl' }).textContent()) ?? '';
    const { stdout } = await run('sh', ['-c', `curl() { for last; do :; done; printf %s "$last"; }\n${line}`]);
    expect(await server.operator('POST', '/api/events', JSON.parse(stdout))).toMatchObject({
      accepted: 1,
      rejected: [],
    });
    expect(JSON.parse(stdout).timestamp).toMatch(/^20\d\d-\d\d-\d\dT/);
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

test(
  'a user signs in with a provider; declining there leads back to the other ways to sign in',
  async () => {
    const watched = await chromium.open({ dark: true });
    const { page, problems } = watched;
    const name = randomName('idp').slice(0, 30);
    await page.goto(`${server.url}/sign-in?returnTo=%2Fprofile`);
    idp.person(undefined);
    const button = page.getByRole('link', { name: 'Sign in with Identity provider' });
    await page.getByRole('link', { name: 'Sign in with Corporate sign-in' }).waitFor();
    await button.click();
    await page.getByRole('heading', { name: 'Not signed in' }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByRole('link', { name: 'Sign in another way' }).click();
    await page.waitForURL(`${server.url}/sign-in`);

    idp.person({ sub: name, email: `${name}@example.org`, email_verified: true, preferred_username: name });
    await page.goto(`${server.url}/sign-in?returnTo=%2Fprofile`);
    await button.click();
    await page.getByRole('heading', { name: 'Welcome' }).waitFor();
    expect(await page.locator('code').textContent()).toMatch(/^tl_\w+\.\w+$/);
    expect(await watched.inaccessible()).toEqual([]);
    await page.getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(`${server.url}/profile`);
    await page.getByText(`${name}@example.org`).waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);

// Playwright can add a virtual authenticator in Chromium only.
test.runIf(HAS_AUTHENTICATOR)(
  'an authenticator app and a passkey are added, required at sign-in, and removed by an administrator',
  async () => {
    const watched = await chromium.open();
    const { page, context, problems } = watched;
    const { id, email, password, username } = await server.account('user');
    // Browsers accept passkeys for host names, not for IP addresses.
    const url = server.url.replace('127.0.0.1', 'localhost');
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    async function enterPassword() {
      await page.getByLabel('E-mail address').fill(email);
      await page.locator('input[name=password]').fill(password);
      await page.keyboard.press('Enter');
    }
    async function signOut() {
      await page.goto(`${url}/profile`);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in to Trapline' }).waitFor();
    }

    await page.goto(`${url}/sign-in?returnTo=%2Fprofile`);
    await enterPassword();
    await page.getByText('No second factor is set up.').waitFor();
    await page.getByRole('button', { name: 'Set up authenticator app' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'QR code' }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    const [now, next] = authenticatorApp(await secretOf(page));
    await dialog.getByLabel('Code from the app').fill(now === '123456' ? '654321' : '123456');
    await page.keyboard.press('Enter');
    await dialog.getByText('the code is wrong or has expired').waitFor();
    await dialog.getByLabel('Code from the app').fill(now);
    await page.keyboard.press('Enter');
    const codes = await dialog.getByRole('region', { name: 'Recovery codes' }).textContent();
    expect(codes?.split('\n')).toHaveLength(10);
    expect(await watched.inaccessible()).toEqual([]);
    await dialog.getByRole('button', { name: 'I have saved the codes' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await server.mailbox.find(email, /(authenticator app was added)/);

    await page.getByRole('button', { name: 'Add passkey' }).click();
    await dialog.getByLabel('Name').fill('Laptop');
    expect(await watched.inaccessible()).toEqual([]);
    await page.keyboard.press('Enter');
    const factors = page.getByRole('table', { name: 'Second factor' });
    await factors.getByText('Passkey “Laptop”').waitFor();
    await page.getByText('10 recovery codes left').waitFor();
    expect(await watched.inaccessible()).toEqual([]);

    // The password leads to the second step. A code of the authenticator app completes the sign-in.
    await signOut();
    await enterPassword();
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    expect(await watched.inaccessible()).toEqual([]);
    await page.reload();
    await page.getByText(`Signing in as ${email}`).waitFor();
    await page.getByLabel('Code').fill('123456');
    await page.keyboard.press('Enter');
    await page.getByText('the code is wrong, has expired or was used').waitFor();
    await page.getByLabel('Code').fill(next);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/first-steps`);

    // The passkey completes the sign-in too. It also signs in without the password.
    await signOut();
    await enterPassword();
    await page.getByRole('button', { name: 'Use passkey' }).click();
    await page.waitForURL(`${url}/first-steps`);
    await signOut();
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('No passkey was used').waitFor();
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL(`${url}/first-steps`);

    // Changes the client address: otherwise the console slows down before it reaches the rate limit of one address.
    await context.setExtraHTTPHeaders({ 'x-forwarded-for': '198.51.100.250' });
    // A change requires the password again when the last confirmation has expired. The test clears its time.
    await page.route('**/api/user/second-factor', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), confirmedUntil: null } });
    });
    await page.goto(`${url}/profile`);
    await factors.getByRole('button', { name: 'Remove Passkey “Laptop”' }).click();
    await dialog.getByText('Confirm your identity').waitFor();
    await dialog.locator('input[name=proof]').fill(password);
    expect(await watched.inaccessible()).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.getByText('Remove Passkey “Laptop”?').waitFor();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Second factor removed.').waitFor();

    // An administrator removes the remaining factors of a user who lost them. After that the password alone signs in.
    await server.operator('DELETE', `/api/admin/users/${id}/second-factor`);
    await page.goto(`${url}/sign-in`);
    await enterPassword();
    await page.waitForURL(`${url}/first-steps`);
    await page.getByRole('banner').getByRole('button', { name: username }).waitFor();
    expect(problems).toEqual([]);
  },
  PATIENCE_MS,
);
