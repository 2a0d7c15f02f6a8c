import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIdentityProvider } from '#api/accounts/oauth/identity-provider.ts';
import { ProviderRefusal, ProviderUnavailable, type SignInAttempt } from '#api/accounts/oauth/provider.ts';
import { createBrowser } from '#test/support/browser.ts';
import { type IdentityProviderService, startIdentityProvider } from '#test/support/services/identity-provider.ts';
import { waitFor } from '#test/support/wait-for.ts';

const REDIRECT_URI = 'http://127.0.0.1:9/api/auth/callback/idp';
const ATTEMPT: SignInAttempt = {
  redirectUri: REDIRECT_URI,
  state: 's'.repeat(43),
  nonce: 'n'.repeat(43),
  codeVerifier: 'v'.repeat(43),
};
const ALICE = { sub: 'alice-1', email: 'Alice@Example.org', email_verified: true, preferred_username: 'alice' };

describe.each([
  { name: 'the address comes from userinfo', options: {} },
  { name: 'the address comes in the ID token', options: { emailInIdToken: true } },
  { name: 'the issuer has a path and a slash at its end', options: { path: '/realms/staff/' } },
])('$name', ({ options }) => {
  let idp: IdentityProviderService;
  beforeAll(async () => {
    idp = await startIdentityProvider({ redirectUris: [REDIRECT_URI], ...options });
  });
  afterAll(() => idp.stop());

  test('identifies the user', async () => {
    // Settings are read without a trailing slash.
    const provider = createIdentityProvider({ ...idp, issuer: idp.issuer.replace(/\/$/, '') });
    idp.person(ALICE);
    const callback = await createBrowser().follow((await provider.authorizationUrl(ATTEMPT)).href, REDIRECT_URI);
    expect(await provider.account(new URL(callback), ATTEMPT)).toEqual({
      subject: 'alice-1',
      email: 'alice@example.org',
      emailVerified: true,
      login: 'alice',
    });
  });
});

describe('an identity provider', () => {
  let idp: IdentityProviderService;
  beforeAll(async () => {
    idp = await startIdentityProvider({ redirectUris: [REDIRECT_URI] });
  });
  afterAll(() => idp.stop());

  async function signIn(account: object, change: (url: URL) => void = () => {}, attempt = ATTEMPT) {
    const provider = createIdentityProvider(idp);
    idp.person({ sub: 'someone', ...account });
    const authorization = await provider.authorizationUrl(ATTEMPT);
    change(authorization);
    const callback = await createBrowser().follow(authorization.href, REDIRECT_URI);
    return { callback, provider, account: provider.account(new URL(callback), attempt) };
  }

  test('is called with PKCE, state and nonce', async () => {
    const { searchParams } = await createIdentityProvider(idp).authorizationUrl(ATTEMPT);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      state: ATTEMPT.state,
      nonce: ATTEMPT.nonce,
      redirect_uri: REDIRECT_URI,
    });
    expect(searchParams.get('code_challenge')).not.toBe(ATTEMPT.codeVerifier);
  });

  test.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    [1, false],
    ['yes', false],
    [undefined, false],
    [null, false],
  ])('with email_verified %j asserts: %j', async (email_verified, emailVerified) => {
    const { account } = await signIn({ email: 'a@example.org', email_verified });
    expect(await account).toMatchObject({ email: 'a@example.org', emailVerified });
  });

  test('without an address asserts none', async () => {
    const { account } = await signIn({});
    expect(await account).toMatchObject({ subject: 'someone', email: undefined, emailVerified: false });
  });

  test.each(['not an address', 'admın@example.org', `${'a'.repeat(250)}@example.org`, 17, ['a@example.org']])(
    'ignores an address like %j',
    async (email) => {
      const { account } = await signIn({ email, email_verified: true });
      expect(await account).toMatchObject({ email: undefined });
    },
  );

  test('rejects an ID token with another nonce', async () => {
    const { account } = await signIn(ALICE, (url) => url.searchParams.set('nonce', 'another'));
    await expect(account).rejects.toMatchObject({ name: 'ProviderRefusal', reason: 'invalid-response' });
  });

  test('rejects a response with another state', async () => {
    const { account } = await signIn(ALICE, () => {}, { ...ATTEMPT, state: 'another' });
    await expect(account).rejects.toBeInstanceOf(ProviderRefusal);
  });

  test('accepts a code once, and only with its verifier', async () => {
    const stolen = await signIn(ALICE, () => {}, { ...ATTEMPT, codeVerifier: 'w'.repeat(43) });
    await expect(stolen.account).rejects.toMatchObject({ reason: 'invalid-response' });
    const used = await signIn(ALICE);
    await used.account;
    await expect(used.provider.account(new URL(used.callback), ATTEMPT)).rejects.toMatchObject({
      reason: 'invalid-response',
    });
  });

  test('distinguishes a user who declines from a failure', async () => {
    const provider = createIdentityProvider(idp);
    idp.person(undefined);
    const callback = await createBrowser().follow((await provider.authorizationUrl(ATTEMPT)).href, REDIRECT_URI);
    await expect(provider.account(new URL(callback), ATTEMPT)).rejects.toMatchObject({ reason: 'denied' });
  });

  test('rejects a wrong client secret', async () => {
    const provider = createIdentityProvider({ ...idp, clientSecret: 'wrong' });
    idp.person(ALICE);
    const callback = await createBrowser().follow((await provider.authorizationUrl(ATTEMPT)).href, REDIRECT_URI);
    await expect(provider.account(new URL(callback), ATTEMPT)).rejects.toBeInstanceOf(ProviderRefusal);
  });

  test('is queried again after an outage, once for all concurrent callers', async () => {
    const provider = createIdentityProvider(idp, { timeoutMs: 1_000 });
    await idp.stop();
    await expect(provider.authorizationUrl(ATTEMPT)).rejects.toBeInstanceOf(ProviderUnavailable);
    await idp.start();
    await waitFor('the provider to be asked again', () => provider.authorizationUrl(ATTEMPT));
    const before = idp.requests.length;
    const other = createIdentityProvider(idp);
    await Promise.all([1, 2, 3].map(() => other.authorizationUrl(ATTEMPT)));
    await other.authorizationUrl(ATTEMPT);
    expect(idp.requests.length - before).toBe(1);
  });

  test('is rejected if its discovery document names another issuer', async () => {
    const provider = createIdentityProvider({ ...idp, issuer: idp.issuer.replace('127.0.0.1', 'localhost') });
    await expect(provider.authorizationUrl(ATTEMPT)).rejects.toMatchObject({
      name: 'ProviderUnavailable',
      cause: { message: expect.stringContaining('another issuer') },
    });
  });
});
