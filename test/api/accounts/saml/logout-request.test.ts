import { beforeAll, describe, expect, test } from 'vitest';
import { type LogoutMessage, readLogoutRequest, readLogoutResponse } from '#api/accounts/saml/logout-request.ts';
import { SamlRefusal } from '#api/accounts/saml/saml-refusal.ts';
import {
  createSamlIdentityProvider,
  type LogoutValues,
  makeSamlKeyPair,
  type SamlIdentityProvider,
  type SamlKeyPair,
} from '#test/support/services/saml-identity-provider.ts';

const SERVICE = 'https://trapline.example.org/api/auth/saml/corp/slo';
const METADATA = `<SingleLogoutService Binding="x" Location="${SERVICE}"/>`;
let idp: SamlIdentityProvider;
let others: SamlKeyPair;

beforeAll(async () => {
  const [keys, theirs] = await Promise.all(['idp', 'others'].map(makeSamlKeyPair));
  idp = createSamlIdentityProvider('https://idp.example.org', keys as SamlKeyPair);
  others = theirs as SamlKeyPair;
});

const request = (values?: Partial<LogoutValues>) => idp.requestLogout(METADATA, values);

function outcome(query: LogoutMessage, certificates = [idp.keys.certificate]): string {
  try {
    return readLogoutRequest(query, { certificates, issuer: idp.entityId, destination: SERVICE }, Date.now()).nameId;
  } catch (error) {
    if (error instanceof SamlRefusal) return error.reason;
    throw error;
  }
}

test('a signed request identifies a user, with each certificate of a rotation', () => {
  expect(outcome(request())).toBe('alice@example.org');
  expect(outcome(request(), [others.certificate, idp.keys.certificate])).toBe('alice@example.org');
  expect(outcome(`${request()}&other=1`)).toBe('alice@example.org');
});

test('rejects an unsigned or changed request', () => {
  const good = request();
  const forged = request({ nameId: 'bob@example.org', key: others.key });
  const [, forgedRequest = ''] = /SAMLRequest=([^&]+)/.exec(forged) ?? [];
  expect([
    outcome(forged),
    outcome(good.replace(/&Signature=.*/, '')),
    outcome(good.replace(/&Signature=.*/, '&Signature=')),
    outcome(good.replace(/SAMLRequest=[^&]+/, `SAMLRequest=${forgedRequest}`)),
    outcome(good.replace(/RelayState=[^&]+/, 'RelayState=other')),
    outcome(`SAMLRequest=${forgedRequest}&${good}`),
    outcome(`${good}&SAMLRequest=${forgedRequest}`),
    outcome(request({ algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' })),
    outcome(good, []),
    outcome(''),
  ]).toEqual([
    'saml-signature',
    'saml-signature',
    'saml-signature',
    'saml-signature',
    'saml-signature',
    'saml-malformed',
    'saml-malformed',
    'saml-algorithm',
    'saml-signature',
    'saml-signature',
  ]);
});

test('rejects a signed request for another service, by another provider, or out of time', () => {
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  expect([
    outcome(request({ issuer: 'https://other.example.org' })),
    outcome(request({ destination: 'https://other.example.org/slo' })),
    outcome(request({ issueInstant: minutes(10) })),
    outcome(request({ issueInstant: minutes(-8) })),
    outcome(request({ issueInstant: minutes(-8), notOnOrAfter: minutes(1) })),
    outcome(request({ notOnOrAfter: minutes(-3) })),
  ]).toEqual(['saml-issuer', 'saml-destination', 'saml-time', 'saml-time', 'alice@example.org', 'saml-time']);
});

test('rejects other documents', () => {
  const entity = '<!DOCTYPE x [<!ENTITY e "alice@example.org">]><x>&e;</x>';
  const root = (content: string, name = 'LogoutRequest') =>
    `<p:${name} xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" ID="_1" Version="2.0">${content}</p:${name}>`;
  const nameId = '<a:NameID>alice@example.org</a:NameID>';
  expect([
    outcome(request({ xml: entity })),
    outcome(request({ xml: root(nameId, 'Response') })),
    outcome(request({ xml: root(nameId + nameId) })),
    outcome(request({ xml: root('<a:EncryptedID/>') })),
    outcome(request({ xml: root('<a:NameID>alice@example.org<b/></a:NameID>') })),
    outcome(request({ id: '_'.repeat(513) })),
    outcome(request({ xml: 'a'.repeat(100_000) })),
    outcome(request({ xml: 'not xml' })),
  ]).toEqual([
    'saml-declaration',
    'saml-structure',
    'saml-structure',
    'saml-structure',
    'saml-structure',
    'saml-structure',
    'saml-malformed',
    'saml-malformed',
  ]);
});

test('the response to a request of this service contains whether all sessions have ended', () => {
  const read = (query: string) => {
    try {
      const expected = { certificates: [idp.keys.certificate], issuer: idp.entityId, destination: SERVICE };
      return readLogoutResponse(query, expected).complete;
    } catch (error) {
      if (error instanceof SamlRefusal) return error.reason;
      throw error;
    }
  };
  const answer = (values: Parameters<SamlIdentityProvider['answerLogout']>[1] = {}) =>
    idp.answerLogout(METADATA, values);
  expect([
    read(answer()),
    read(answer({ status: ['Success', 'PartialLogout'] })),
    read(answer({ status: ['Responder'] })),
    read(answer({ key: others.key })),
    read(answer({ issuer: 'https://other.example' })),
    read(answer({ destination: 'https://other.example' })),
    read(request()),
    read(answer().replace(/SAMLResponse=[^&]+/, 'SAMLResponse=')),
    outcome(answer()),
    read(`${answer()}&${request()}`),
  ]).toEqual([
    true,
    false,
    false,
    'saml-signature',
    'saml-issuer',
    'saml-destination',
    'saml-signature',
    'saml-signature',
    'saml-signature',
    'saml-malformed',
  ]);
});

describe('by the HTTP-POST binding', () => {
  const base64 = (xml: string) => Buffer.from(xml).toString('base64');
  const posted = (xml: string, certificates?: string[]) => outcome({ SAMLRequest: base64(xml) }, certificates);
  const make = (values?: Partial<LogoutValues>) => idp.postLogout(METADATA, values);
  const signatureOf = (xml: string) => /<ds:Signature[\s\S]+<\/ds:Signature>/.exec(xml)?.[0] ?? '';
  const evil = (xml: string) => xml.replace('alice@', 'admin@').replace(/ ID="[^"]*"/, ' ID="_evil"');

  test('a signed request identifies a user, with each certificate of a rotation', () => {
    expect(signatureOf(make())).not.toBe('');
    expect(posted(make())).toBe('alice@example.org');
    expect(posted(make(), [others.certificate, idp.keys.certificate])).toBe('alice@example.org');
  });

  test.each<[string, (xml: string) => string, string]>([
    ['without a signature', (xml) => xml.replace(signatureOf(xml), ''), 'saml-signature'],
    ['with another name', (xml) => xml.replace('alice@', 'admin@'), 'saml-signature'],
    ['with another name and a comment', (xml) => xml.replace('alice@', 'admin@<!-- -->'), 'saml-declaration'],
    ['with a comment within the name', (xml) => xml.replace('alice@', 'alice@<!-- x -->'), 'saml-declaration'],
    ['with an entity', (xml) => `<!DOCTYPE x [<!ENTITY e "x">]>${xml}`, 'saml-declaration'],
    [
      'wrapped: the signed request within the signature of a forged one',
      (xml) => {
        const alone = xml.replace(signatureOf(xml), '');
        const signature = signatureOf(xml).replace('</ds:Signature>', `<ds:Object>${alone}</ds:Object></ds:Signature>`);
        return evil(alone).replace('</saml:Issuer>', `</saml:Issuer>${signature}`);
      },
      'saml-structure',
    ],
    [
      'wrapped: the signed request before the signature of a forged one',
      (xml) => {
        const alone = xml.replace(signatureOf(xml), '');
        return evil(alone).replace('</saml:Issuer>', `</saml:Issuer>${alone}${signatureOf(xml)}`);
      },
      'saml-structure',
    ],
    [
      'wrapped: the signed request in the extensions of a forged one',
      (xml) =>
        evil(xml.replace(signatureOf(xml), '')).replace(
          '</saml:Issuer>',
          `</saml:Issuer><samlp:Extensions>${xml}</samlp:Extensions>`,
        ),
      'saml-structure',
    ],
    [
      'wrapped: a forged one with the id of the signed request',
      (xml) => {
        const forged = xml.replace(signatureOf(xml), '').replace('alice@', 'admin@');
        return forged.replace('</saml:Issuer>', `</saml:Issuer><samlp:Extensions>${xml}</samlp:Extensions>`);
      },
      'saml-structure',
    ],
    ['with two signatures', (xml) => xml.replace(signatureOf(xml), (one) => one + one), 'saml-structure'],
    [
      'with a reference to the whole document',
      (xml) => xml.replace(/<ds:Reference URI="#[^"]*"/, '<ds:Reference URI=""'),
      'saml-structure',
    ],
    [
      'with two references',
      (xml) => xml.replace(/<ds:Reference[\s\S]+?<\/ds:Reference>/, (one) => one + one),
      'saml-structure',
    ],
    ['signed with SHA-1', (xml) => xml.replaceAll('rsa-sha256', 'rsa-sha1'), 'saml-algorithm'],
    ['that is no XML', () => 'not xml', 'saml-malformed'],
    ['that is too large', (xml) => xml + ' '.repeat(200_000), 'saml-malformed'],
  ])('rejects a request %s', (_name, change, reason) => {
    const xml = make();
    expect(change(xml)).not.toBe(xml);
    expect(posted(change(xml))).toBe(reason);
  });

  test('rejects a signed request for another service, by another provider, out of time, or of another type', () => {
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    expect([
      posted(make({ key: others.key })),
      posted(make(), [others.certificate]),
      posted(make({ issuer: 'https://other.example.org' })),
      posted(make({ destination: 'https://other.example.org/slo' })),
      posted(make({ issueInstant: minutes(-8) })),
      posted(idp.postLogoutAnswer(METADATA)),
      outcome({ SAMLRequest: '!' }),
      outcome({}),
    ]).toEqual([
      'saml-signature',
      'saml-signature',
      'saml-issuer',
      'saml-destination',
      'saml-time',
      'saml-structure',
      'saml-malformed',
      'saml-malformed',
    ]);
  });

  test('the response to a request of this service contains whether all sessions have ended', () => {
    const read = (xml: string) => {
      const expected = { certificates: [idp.keys.certificate], issuer: idp.entityId, destination: SERVICE };
      return readLogoutResponse({ SAMLResponse: base64(xml) }, expected).complete;
    };
    expect(read(idp.postLogoutAnswer(METADATA))).toBe(true);
    expect(read(idp.postLogoutAnswer(METADATA, { status: ['Success', 'PartialLogout'] }))).toBe(false);
    expect(() => read(idp.postLogoutAnswer(METADATA, { key: others.key }))).toThrow(SamlRefusal);
    expect(() => read(idp.postLogoutAnswer(METADATA, { issuer: 'https://other.example' }))).toThrow(SamlRefusal);
    expect(() => read(make())).toThrow(SamlRefusal);
  });
});
