import { SAML } from '@node-saml/node-saml';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSamlProvider, requestIdOf, type SamlProviderConfig } from '#api/accounts/saml/saml-provider.ts';
import { SamlRefusal } from '#api/accounts/saml/saml-refusal.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import {
  createSamlIdentityProvider,
  makeSamlKeyPair,
  type SamlIdentityProvider,
  type SamlKeyPair,
  type SamlResponseOptions,
  type SamlValues,
} from '#test/support/services/saml-identity-provider.ts';
import { ASSERTION_WRAPPING, EVIL, partsOf, RESPONSE_WRAPPING } from './attacks.ts';

const PUBLIC_URL = 'https://trapline.example.org';
const ACS = `${PUBLIC_URL}/api/auth/saml/corp/acs`;
let idp: SamlIdentityProvider;
let others: SamlKeyPair;
let ours: SamlKeyPair;

beforeAll(async () => {
  const [keys, ...rest] = await Promise.all(['idp', 'others', 'ours'].map(makeSamlKeyPair));
  idp = createSamlIdentityProvider('https://idp.example.org', keys as SamlKeyPair);
  [others, ours] = rest as [SamlKeyPair, SamlKeyPair];
});

function provider(config: Partial<SamlProviderConfig> = {}, now = Date.now) {
  const all: SamlProviderConfig = {
    id: 'corp',
    name: 'Corp',
    policy: { signUp: 'allowed', linking: 'unlinked', allowedDomains: ['example.org'] },
    entityId: idp.entityId,
    signInUrl: idp.signInUrl,
    certificates: [idp.keys.certificate],
    signatures: 'either',
    claims: {},
    idpInitiated: false,
    returnPaths: [],
    ...config,
  };
  return createSamlProvider(all, {
    publicUrl: () => PUBLIC_URL,
    takeAnswer: async () => undefined,
    seal: createSeal(['a secret of the tests']),
    now,
  });
}

const respond = (options?: SamlResponseOptions, by = idp) =>
  by.respond(provider({ decryption: ours }).metadata(), options);
const xmlOf = (response: string) => Buffer.from(response, 'base64').toString();
const base64 = (xml: string) => Buffer.from(xml).toString('base64');

/** Returns the reason of the rejection, or the subject of an accepted response. */
async function outcome(response: string, config: Partial<SamlProviderConfig> = {}, now = Date.now): Promise<string> {
  try {
    return (await provider(config, now).verify(response)).account.subject;
  } catch (error) {
    if (error instanceof SamlRefusal) return error.reason;
    throw error;
  }
}

describe('a response of the identity provider', () => {
  test.each(['assertion', 'response', 'both'] as const)('is accepted with a signature of the %s', async (signed) => {
    const attributes = { email: ['Alice@Example.org'], uid: ['alice'], groups: ['soc', 'ops'] };
    const response = await respond({ signed, values: { attributes, inResponseTo: '_one', nameId: 'u-1' } });
    const roles = { claim: 'groups', map: {}, default: 'user', required: false } as const;
    const policy = { signUp: 'allowed', linking: 'unlinked', allowedDomains: ['example.org'], roles } as const;
    const proven = await provider({ policy, claims: { username: 'uid' } }).verify(response);
    expect(proven).toMatchObject({ inResponseTo: '_one', id: expect.stringContaining('_assertion-') });
    expect(proven.expiresAt.getTime()).toBeGreaterThan(Date.now());
    expect(proven.account).toEqual({
      subject: 'u-1',
      email: 'alice@example.org',
      emailVerified: true,
      login: 'alice',
      attributes: new Map([['groups', ['soc', 'ops']]]),
    });
  });

  test('is accepted encrypted only if the response is signed', async () => {
    const config = { decryption: ours };
    expect(await outcome(await respond({ encrypted: true, signed: 'both' }), config)).toBe('alice@example.org');
    expect(await outcome(await respond({ encrypted: true, signed: 'response' }), config)).toBe('alice@example.org');
    expect(await outcome(await respond({ encrypted: true, signed: 'assertion' }), config)).toBe('saml-signature');
    // The key of another service.
    expect(await outcome(await respond({ encrypted: true, signed: 'both' }), { decryption: others })).toBe(
      'saml-signature',
    );
    const weak = 'http://www.w3.org/2001/04/xmlenc#rsa-1_5';
    const response = xmlOf(await respond({ encrypted: true, signed: 'both' }));
    expect(
      await outcome(base64(response.replace('http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p', weak)), config),
    ).toBe('saml-algorithm');
  });

  test('is accepted by any of several certificates, so that the provider can rotate its key', async () => {
    const certificates = [others.certificate, idp.keys.certificate];
    expect(await outcome(await respond(), { certificates })).toBe('alice@example.org');
    expect(await outcome(await respond(), { certificates: [others.certificate] })).toBe('saml-signature');
  });

  test('must be signed if configured', async () => {
    const both = await respond({ signed: 'both' });
    for (const signatures of ['assertion', 'response', 'both'] as const)
      expect(await outcome(both, { signatures })).toBe('alice@example.org');
    expect(await outcome(await respond({ signed: 'assertion' }), { signatures: 'response' })).toBe('saml-signature');
    expect(await outcome(await respond({ signed: 'response' }), { signatures: 'assertion' })).toBe('saml-signature');
    expect(await outcome(await respond({ signed: 'response' }), { signatures: 'both' })).toBe('saml-signature');
  });

  test('has a verified address only in the domains of the provider', async () => {
    const response = await respond({ values: { attributes: { mail: ['alice@other.example'] } } });
    expect((await provider().verify(response)).account).toMatchObject({
      email: 'alice@other.example',
      emailVerified: false,
    });
  });
});

describe('signature wrapping', () => {
  const cases = [
    ...Object.entries(RESPONSE_WRAPPING).map(([name, forge]) => ({ name, forge, signed: 'response' as const })),
    ...Object.entries(ASSERTION_WRAPPING).map(([name, forge]) => ({ name, forge, signed: 'assertion' as const })),
  ];
  test.each(cases)('rejects $name by its form, and by the library alone', async ({ forge, signed }) => {
    const forged = forge(partsOf(xmlOf(await respond({ signed }))));
    expect(await outcome(base64(forged))).toBe('saml-structure');
    const library = new SAML({
      callbackUrl: ACS,
      issuer: PUBLIC_URL,
      idpCert: idp.keys.certificate,
      audience: false,
      wantAssertionsSigned: false,
      wantAuthnResponseSigned: false,
    });
    const accepted = await library.validatePostResponseAsync({ SAMLResponse: base64(forged) }).then(
      ({ profile }) => profile?.nameID,
      () => undefined,
    );
    expect(accepted).not.toBe(EVIL);
  });
});

describe('a forged or foreign response', () => {
  const change = async (replace: (xml: string) => string, options?: SamlResponseOptions) => {
    const xml = xmlOf(await respond(options));
    const changed = replace(xml);
    expect(changed).not.toBe(xml);
    return outcome(base64(changed));
  };
  const signature = /<ds:Signature[\s\S]+?<\/ds:Signature>/;
  const algorithm = (element: string, uri: string) => (xml: string) =>
    xml.replace(new RegExp(`(<ds:${element} Algorithm=")[^"]*`), `$1${uri}`);

  test.each<[string, (xml: string) => string, string]>([
    ['a changed text', (xml) => xml.replace('alice@', 'admin@'), 'saml-signature'],
    [
      'a changed attribute',
      (xml) => xml.replace(/Recipient="[^"]*"/, 'Recipient="https://x.example"'),
      'saml-signature',
    ],
    ['no signature', (xml) => xml.replace(signature, ''), 'saml-signature'],
    ['an empty signature value', (xml) => xml.replace(/(<ds:SignatureValue>)[^<]*/, '$1'), 'saml-signature'],
    [
      'a comment that cuts the name in two',
      (xml) => xml.replace('alice@example.org', 'alice@<!---->example.org'),
      'saml-declaration',
    ],
    [
      'a processing instruction',
      (xml) => xml.replace('alice@example.org', 'alice@<?x?>example.org'),
      'saml-declaration',
    ],
    [
      'a document type with an external entity',
      (xml) => `<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml.replace('alice', '&e;')}`,
      'saml-declaration',
    ],
    ['an entity that is not declared', (xml) => xml.replace('alice', '&e;'), 'saml-malformed'],
    [
      'a signature by SHA-1',
      algorithm('SignatureMethod', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'),
      'saml-algorithm',
    ],
    [
      'a signature by HMAC, for which the certificate would be the secret',
      algorithm('SignatureMethod', 'http://www.w3.org/2000/09/xmldsig#hmac-sha1'),
      'saml-algorithm',
    ],
    ['a digest by SHA-1', algorithm('DigestMethod', 'http://www.w3.org/2000/09/xmldsig#sha1'), 'saml-algorithm'],
    [
      'a canonicalization that keeps comments',
      algorithm('CanonicalizationMethod', 'http://www.w3.org/2001/10/xml-exc-c14n#WithComments'),
      'saml-algorithm',
    ],
    [
      'a transformation by XSLT',
      algorithm('Transform', 'http://www.w3.org/TR/1999/REC-xslt-19991116'),
      'saml-algorithm',
    ],
    ['XML that is broken', (xml) => xml.replace('<saml:Subject>', '<saml:Subject a=b>'), 'saml-malformed'],
    ['another document', () => '<a/>', 'saml-structure'],
    ['no assertion', (xml) => xml.replace(/<saml:Assertion[\s\S]+<\/saml:Assertion>/, ''), 'saml-structure'],
  ])('is rejected with %s', async (_name, replace, reason) => {
    expect(await change(replace)).toBe(reason);
  });

  test('is rejected unless it is base64 of UTF-8, or if it is too large', async () => {
    expect(await outcome('<xml/>')).toBe('saml-malformed');
    expect(await outcome(Buffer.from([0xff, 0xfe, 0x3c]).toString('base64'))).toBe('saml-malformed');
    expect(await outcome('A'.repeat(600_000))).toBe('saml-malformed');
  });

  test('by the key of another identity provider is rejected, also with its certificate in the response', async () => {
    const attacker = createSamlIdentityProvider(idp.entityId, others);
    for (const signed of ['assertion', 'response', 'both'] as const) {
      const response = await respond({ signed }, attacker);
      expect(xmlOf(response)).toContain('X509Certificate');
      expect(await outcome(response)).toBe('saml-signature');
    }
  });

  test.each<[string, Partial<SamlValues>, string]>([
    ['of another issuer', { issuer: 'https://other.example' }, 'saml-issuer'],
    ['in a response of another issuer', { responseIssuer: 'https://other.example' }, 'saml-issuer'],
    ['for another audience', { audience: 'https://other.example' }, 'saml-audience'],
    ['for any audience', { audience: undefined }, 'saml-audience'],
    ['for another recipient', { recipient: 'https://other.example/acs' }, 'saml-recipient'],
    ['for another destination', { destination: 'https://other.example/acs' }, 'saml-destination'],
    ['that is confirmed by a key', { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }, 'saml-recipient'],
    ['that has expired', { notOnOrAfter: new Date(Date.now() - 180_000) }, 'saml-time'],
    ['whose confirmation has expired', { confirmedUntil: new Date(Date.now() - 180_000) }, 'saml-time'],
    ['that is not valid yet', { notBefore: new Date(Date.now() + 180_000) }, 'saml-time'],
    ['of a session that has ended', { sessionUntil: new Date(Date.now() - 180_000) }, 'saml-time'],
    ['to different requests', { inResponseTo: '_one', responseInResponseTo: '_two' }, 'saml-request'],
    ['without a name', { nameId: '' }, 'saml-subject'],
    ['with a transient name', { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }, 'saml-subject'],
    ['of a failure', { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, 'saml-status'],
  ])('is rejected although the identity provider signed it: %s', async (_name, values, reason) => {
    expect(await outcome(await respond({ values, signed: 'both' }))).toBe(reason);
  });

  test('is accepted until two minutes after its expiry, for clock skew', async () => {
    const response = await respond();
    const end = Date.now() + 5 * 60_000;
    expect(await outcome(response, {}, () => end + 100_000)).toBe('alice@example.org');
    expect(await outcome(response, {}, () => end + 130_000)).toBe('saml-time');
  });
});

describe('a request', () => {
  const attempt = { redirectUri: '', state: 'the-state', nonce: 'nonce-1', codeVerifier: '' };

  test('is signed, and its id is bound to the nonce of the sign-in', async () => {
    const signing = provider({ signing: ours });
    const url = await signing.authorizationUrl(attempt);
    expect(url.href.startsWith(`${idp.signInUrl}?`)).toBe(true);
    expect(url.searchParams.get('RelayState')).toBe('the-state');
    expect(await idp.readRequest(signing.metadata(), url)).toBe(requestIdOf('nonce-1'));
    url.searchParams.set('RelayState', 'another');
    await expect(idp.readRequest(signing.metadata(), url)).rejects.toThrow();
  });

  test('the metadata contains this service, its address and its certificates', () => {
    const metadata = provider({ signing: ours, decryption: others, signatures: 'both' }).metadata();
    expect(metadata).toContain(`entityID="${PUBLIC_URL}/api/auth/saml/corp/metadata"`);
    expect(metadata).toContain(`Location="${ACS}"`);
    expect(metadata).toContain('AuthnRequestsSigned="true"');
    expect(metadata).toContain('WantAssertionsSigned="true"');
    for (const { certificate } of [ours, others])
      expect(metadata.replace(/\s/g, '')).toContain(certificate.replace(/-----[^-]+-----|\s/g, ''));
    expect(provider({ serviceEntityId: 'urn:trapline' }).metadata()).toContain('entityID="urn:trapline"');
  });
});
