import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCodeHost } from '#api/accounts/oauth/code-host.ts';
import type { SignInAttempt } from '#api/accounts/oauth/provider.ts';
import { createBrowser } from '#test/support/browser.ts';
import { type CodeHostAccount, type CodeHostService, startCodeHost } from '#test/support/services/code-host.ts';

const REDIRECT_URI = 'http://127.0.0.1:9/api/auth/callback/codehost';
const ATTEMPT: SignInAttempt = {
  redirectUri: REDIRECT_URI,
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
};
const ALICE: CodeHostAccount = {
  id: 4711,
  login: 'alice',
  email: 'shown@example.org',
  emails: [
    { email: 'other@example.org', primary: false, verified: true },
    { email: 'Alice@Example.org', primary: true, verified: true },
  ],
};

describe('the code host', () => {
  let host: CodeHostService;
  beforeAll(async () => {
    host = await startCodeHost();
  });
  afterAll(() => host.stop());
  beforeEach(() => host.failing.clear());

  const providerOf = (secret = host.clientSecret) =>
    createCodeHost(
      { authUrl: host.url, apiUrl: host.url, clientId: host.clientId, clientSecret: secret },
      { maxBytes: 4_096 },
    );

  async function callbackOf(person: CodeHostAccount | undefined): Promise<URL> {
    host.person(person);
    const { href } = await providerOf().authorizationUrl(ATTEMPT);
    return new URL(await createBrowser().follow(href, REDIRECT_URI));
  }

  test('identifies the user by the primary address of the separate call', async () => {
    expect(await providerOf().account(await callbackOf(ALICE), ATTEMPT)).toEqual({
      subject: '4711',
      email: 'alice@example.org',
      emailVerified: true,
      login: 'alice',
    });
  });

  test('does not assert an unverified primary address, whatever the other addresses are', async () => {
    const emails = ALICE.emails.map((one) => ({ ...one, verified: !one.primary }));
    expect(await providerOf().account(await callbackOf({ ...ALICE, emails }), ATTEMPT)).toMatchObject({
      email: 'alice@example.org',
      emailVerified: false,
    });
  });

  test('ignores the address of the public profile', async () => {
    expect(await providerOf().account(await callbackOf({ ...ALICE, emails: [] }), ATTEMPT)).toMatchObject({
      email: undefined,
      emailVerified: false,
    });
  });

  test.each([
    ['another state', { state: 'another' }, 'invalid-response'],
    ['another code verifier', { codeVerifier: 'w'.repeat(43) }, 'invalid-response'],
  ])('rejects %s', async (_name, change, reason) => {
    const callback = await callbackOf(ALICE);
    await expect(providerOf().account(callback, { ...ATTEMPT, ...change })).rejects.toMatchObject({ reason });
  });

  test('accepts a code once', async () => {
    const callback = await callbackOf(ALICE);
    await providerOf().account(callback, ATTEMPT);
    await expect(providerOf().account(callback, ATTEMPT)).rejects.toMatchObject({ reason: 'invalid-response' });
  });

  test('distinguishes a user who declines from a failure', async () => {
    await expect(providerOf().account(await callbackOf(undefined), ATTEMPT)).rejects.toMatchObject({
      reason: 'denied',
    });
  });

  test('rejects a wrong client secret', async () => {
    await expect(providerOf('wrong').account(await callbackOf(ALICE), ATTEMPT)).rejects.toMatchObject({
      reason: 'invalid-response',
    });
  });

  test.each([
    ['/login/oauth/access_token', 503, 'ProviderUnavailable'],
    ['/user', 502, 'ProviderUnavailable'],
    ['/user/emails', 429, 'ProviderUnavailable'],
    ['/user/emails', 404, 'ProviderRefusal'],
  ])('maps %s answering %i to %s', async (path, status, name) => {
    const callback = await callbackOf(ALICE);
    host.failing.set(path, status);
    await expect(providerOf().account(callback, ATTEMPT)).rejects.toMatchObject({ name });
  });

  test('aborts an endless response', async () => {
    const emails = Array.from({ length: 200 }, (_, n) => ({
      email: `alice${n}@example.org`,
      primary: n === 0,
      verified: true,
    }));
    await expect(providerOf().account(await callbackOf({ ...ALICE, emails }), ATTEMPT)).rejects.toMatchObject({
      name: 'ProviderUnavailable',
      message: expect.stringContaining('4096 bytes'),
    });
  });
});
