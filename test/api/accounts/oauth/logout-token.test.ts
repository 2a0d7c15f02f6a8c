import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { LogoutRefusal, verifyLogoutToken } from '#api/accounts/oauth/logout-token.ts';

const ISSUER = 'https://login.example.org/realms/staff';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const NOW = new Date('2027-03-01T12:00:00Z');
const seconds = NOW.getTime() / 1_000;
const CLAIMS = {
  iss: ISSUER,
  aud: 'trapline',
  iat: seconds - 1,
  exp: seconds + 119,
  jti: 'token-1',
  sub: 'alice',
  sid: 'session-1',
  events: { [EVENT]: {} },
};
type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;
let own: KeyPair;
let others: KeyPair;
let keys: ReturnType<typeof createLocalJWKSet>;

beforeAll(async () => {
  [own, others] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(own.publicKey)), kid: 'k', use: 'sig' }] });
});

/** Omits the claims that are undefined. */
function sign(claims: object = {}, header: object = {}, key: CryptoKey | Uint8Array = own.privateKey) {
  const all = Object.entries({ ...CLAIMS, ...claims }).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(all) as JWTPayload)
    .setProtectedHeader({ alg: 'RS256', kid: 'k', typ: 'logout+jwt', ...header })
    .sign(key);
}

async function outcome(token: string | Promise<string>, algorithms = ['RS256', 'HS256', 'none']): Promise<unknown> {
  const expected = { issuer: ISSUER, clientId: 'trapline', keys, algorithms };
  return verifyLogoutToken(await token, expected, NOW).catch((error: unknown) => {
    if (error instanceof LogoutRefusal) return error.reason;
    throw error;
  });
}

test('a token identifies a session, an account, or both, until its expiry', async () => {
  const expiresAt = new Date(NOW.getTime() + 239_000);
  expect(await outcome(sign())).toEqual({ jti: 'token-1', subject: 'alice', sid: 'session-1', expiresAt });
  expect(await outcome(sign({ sid: undefined }))).toMatchObject({ subject: 'alice', sid: undefined });
  expect(await outcome(sign({ sub: undefined }))).toMatchObject({ subject: undefined, sid: 'session-1' });
  // A distant expiry of the token does not matter: its id is remembered only while the token is accepted.
  expect(await outcome(sign({ exp: seconds + 86_400 }))).toMatchObject({
    expiresAt: new Date(NOW.getTime() + 719_000),
  });
});

test.each([
  ['several audiences', { aud: ['other', 'trapline'] }, {}],
  ['the general type', {}, { typ: 'JWT' }],
  ['no type', {}, { typ: undefined }],
  ['a clock that is a minute fast', { iat: seconds + 60, exp: seconds + 180 }, {}],
])('accepts a token with %s', async (_name, claims, header) => {
  expect(await outcome(sign(claims, header))).toMatchObject({ jti: 'token-1' });
});

test.each([
  ['of another issuer', { iss: 'https://evil.example' }, 'logout-issuer'],
  ['for another client', { aud: 'other' }, 'logout-audience'],
  ['without an audience', { aud: undefined }, 'logout-audience'],
  ['that has expired', { exp: seconds - 121 }, 'logout-time'],
  ['without an end', { exp: undefined }, 'logout-time'],
  ['that was issued long ago', { iat: seconds - 721 }, 'logout-time'],
  ['that was issued in the future', { iat: seconds + 300, exp: seconds + 400 }, 'logout-time'],
  ['without a time of issue', { iat: undefined }, 'logout-time'],
  ['without an id', { jti: undefined }, 'logout-claims'],
  ['with a nonce, as an ID token has', { nonce: 'n' }, 'logout-claims'],
  ['without the event', { events: undefined }, 'logout-claims'],
  ['with another event', { events: { 'http://schemas.openid.net/event/other': {} } }, 'logout-claims'],
  ['whose event is no object', { events: { [EVENT]: true } }, 'logout-claims'],
  ['without sub and sid', { sub: undefined, sid: undefined }, 'logout-claims'],
  ['with a sid that is no text', { sid: 1 }, 'logout-claims'],
])('rejects a token %s', async (_name, claims, reason) => {
  expect(await outcome(sign(claims))).toBe(reason);
});

test('rejects a token without a permitted signature of the provider', async () => {
  const [header, payload, signature] = (await sign()).split('.') as [string, string, string];
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const secret = new TextEncoder().encode(JSON.stringify(await exportJWK(own.publicKey)));
  expect([
    await outcome(sign({}, {}, others.privateKey)),
    await outcome(sign({}, { kid: 'unknown' })),
    await outcome([header, encode({ ...CLAIMS, sub: 'bob' }), signature].join('.')),
    await outcome([encode({ alg: 'none', typ: 'logout+jwt' }), payload, ''].join('.')),
    // The public key used as a shared secret (algorithm confusion).
    await outcome(sign({}, { alg: 'HS256' }, secret)),
    await outcome(sign(), ['ES256']),
    await outcome(sign({}, { typ: 'at+jwt' })),
    await outcome('not a token'),
    await outcome(''),
    await outcome('a'.repeat(20_000)),
    await outcome([encode({ alg: 'RS256', crit: ['x'], x: 1 }), payload, signature].join('.')),
  ]).toEqual([
    'logout-signature',
    'logout-signature',
    'logout-signature',
    'logout-algorithm',
    'logout-algorithm',
    'logout-algorithm',
    'logout-malformed',
    'logout-malformed',
    'logout-malformed',
    'logout-malformed',
    'logout-algorithm',
  ]);
});
