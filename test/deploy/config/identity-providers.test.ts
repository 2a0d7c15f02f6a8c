import { describe, expect, test } from 'vitest';
import { identityProviders, parseIdentityProviders } from '#deploy/config/identity-providers.ts';
import { listedProviders } from '#deploy/processes/platform/listed-providers.ts';
import { makeSamlKeyPair } from '#test/support/services/saml-identity-provider.ts';

const STAFF = {
  id: 'staff',
  name: 'Staff',
  protocol: 'oidc',
  issuer: 'https://login.example.org/realms/staff/',
  clientId: 'trapline',
  clientSecret: 'a secret',
};
const CORP = {
  id: 'corp',
  name: 'Corp',
  protocol: 'saml',
  entityId: 'https://idp.example.org',
  signInUrl: 'https://idp.example.org/sso',
  certificateFiles: ['/certs/idp.pem'],
  allowedDomains: ['example.org'],
};
const problems = (value: unknown) =>
  (identityProviders.safeParse(typeof value === 'string' ? value : JSON.stringify(value)).error?.issues ?? []).map(
    ({ message }) => message,
  );

describe('IDENTITY_PROVIDERS', () => {
  test('single logout requires the NameID as the subject', () => {
    const signOutUrl = 'https://idp.example.org/slo';
    expect(problems([{ ...CORP, signOutUrl }])).toEqual([]);
    expect(problems([{ ...CORP, signOutUrl, signOutBinding: 'post' }])).toEqual([]);
    expect(problems([{ ...CORP, signOutUrl, signOutBinding: 'soap' }])).toEqual([
      expect.stringMatching(/^\[0\]\.signOutBinding: /),
    ]);
    expect(problems([{ ...CORP, signOutUrl, claims: { subject: 'uid' } }])).toEqual([
      '[0].signOutUrl: it needs the NameID as the subject: remove claims.subject',
    ]);
  });

  test('a sign-out at a SAML provider requires an address there and a signing key', () => {
    const needed = '[0].signOut: provider needs signOutUrl and signing: the request to end sessions must be signed';
    const signOutUrl = 'https://idp.example.org/slo';
    const signing = { keyFile: '/keys/own.pem', certificateFile: '/certs/own.pem' };
    expect(problems([{ ...CORP, signOut: 'provider', signOutUrl }])).toEqual([needed]);
    expect(problems([{ ...CORP, signOut: 'provider', signing }])).toEqual([needed]);
    expect(problems([{ ...CORP, signOut: 'provider', signOutUrl, signing }])).toEqual([]);
    expect(problems([{ ...STAFF, signOut: 'provider' }])).toEqual([]);
  });

  test('by default, no provider can take over an account of another provider', () => {
    expect(parseIdentityProviders(JSON.stringify([STAFF]))).toEqual([
      {
        ...STAFF,
        issuer: 'https://login.example.org/realms/staff',
        signUp: 'registration',
        linking: 'unlinked',
        signOut: 'here',
        scopes: ['openid', 'email', 'profile'],
        claims: { email: 'email', username: 'preferred_username' },
        emailVerified: 'claim',
      },
    ]);
    expect(parseIdentityProviders(undefined)).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'must be a JSON array of identity providers'],
    ['an id of another provider', [{ ...STAFF, id: 'idp' }], '[0].id: idp, codehost, credentials, saml are reserved'],
    ['an id twice', [STAFF, STAFF], 'each provider needs an id of its own'],
    ['an unknown field', [{ ...STAFF, issuerUrl: 'x' }], '[0]: unknown field issuerUrl'],
    [
      'an issuer that is no URL',
      [{ ...STAFF, issuer: 'x' }],
      '[0].issuer: must be a URL that begins with https:// or http://',
    ],
    [
      'two secrets',
      [{ ...STAFF, clientSecretFile: '/s' }],
      '[0].clientSecret: one of clientSecret and clientSecretFile is required',
    ],
    ['SAML without domains', [{ ...CORP, allowedDomains: undefined }], '[0].allowedDomains: is required'],
    [
      'SAML without a certificate',
      [{ ...CORP, certificateFiles: [] }],
      '[0].certificates: certificates or certificateFiles is required',
    ],
    [
      'a path of another site',
      [{ ...CORP, returnPaths: ['//x.example'] }],
      '[0].returnPaths[0]: must be a path of this server, such as /detections',
    ],
    ['scopes without openid', [{ ...STAFF, scopes: ['email'] }], '[0].scopes: must include openid'],
    [
      'trust in every address',
      [{ ...STAFF, emailVerified: 'always' }],
      '[0].emailVerified: always needs allowedDomains: the domains whose addresses this provider assigns',
    ],
    [
      'an address of a claim that no one verified',
      [{ ...STAFF, claims: { email: 'preferred_username' } }],
      '[0].claims.email: another claim than email needs emailVerified always: email_verified is about the claim email alone',
    ],
  ])('rejects %s without showing a value', (_name, value, message) => {
    expect(problems(value)).toContain(message);
    expect(problems(value).join()).not.toContain('a secret');
  });

  test('reads the certificates and keys of a SAML provider', async () => {
    const { key, certificate } = await makeSamlKeyPair('idp');
    const files: Record<string, string> = { '/certs/idp.pem': certificate, '/own/key': key, '/own/crt': certificate };
    const read = (path: string) => files[path] ?? '';
    const pair = { keyFile: '/own/key', certificateFile: '/own/crt' };
    const list = parseIdentityProviders(JSON.stringify([{ ...CORP, signing: pair, certificates: [certificate] }]));
    expect(listedProviders(list, read).saml[0]).toMatchObject({
      signatures: 'either',
      idpInitiated: false,
      certificates: [certificate, certificate],
      signing: { key: key.trimEnd(), certificate },
    });
    files['/certs/idp.pem'] = key;
    expect(() => listedProviders(list, read)).toThrow('a certificate of provider corp is not a PEM certificate');
  });

  test('reads secrets from files, and names a file that cannot be read', () => {
    const { clientSecret: _, ...rest } = STAFF;
    const list = parseIdentityProviders(JSON.stringify([{ ...rest, clientSecretFile: '/run/secrets/staff' }]));
    expect(listedProviders(list, () => 'from a file\n').oidc[0]).toMatchObject({
      clientSecret: 'from a file',
      listed: { id: 'staff', policy: { linking: 'unlinked' } },
    });
    expect(() => listedProviders(list, () => '\n')).toThrow('/run/secrets/staff of provider staff is empty');
    const failing = () => {
      throw new Error('ENOENT');
    };
    expect(() => listedProviders(list, failing)).toThrow('/run/secrets/staff of provider staff cannot be read');
  });
});
