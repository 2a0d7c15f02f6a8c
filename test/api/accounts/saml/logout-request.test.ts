import { beforeAll, expect, test } from 'vitest';
import { readLogoutRequest, readLogoutResponse } from '#api/accounts/saml/logout-request.ts';
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

function outcome(query: string, certificates = [idp.keys.certificate]): string {
  try {
    return readLogoutRequest(query, { certificates, issuer: idp.entityId, destination: SERVICE }, Date.now()).nameId;
  } catch (error) {
    if (error instanceof SamlRefusal) return error.reason;
    throw error;
  }
}

test('a signed request names a person, with each certificate of a change', () => {
  expect(outcome(request())).toBe('alice@example.org');
  expect(outcome(request(), [others.certificate, idp.keys.certificate])).toBe('alice@example.org');
  expect(outcome(`${request()}&other=1`)).toBe('alice@example.org');
});

test('what is not signed by the provider, or is changed, is refused', () => {
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

test('a signed request must be for this service, by this provider, and of now', () => {
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

test('other documents are refused', () => {
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
    outcome(request({ xml: 'a'.repeat(100_000) })),
    outcome(request({ xml: 'not xml' })),
  ]).toEqual([
    'saml-declaration',
    'saml-structure',
    'saml-structure',
    'saml-structure',
    'saml-structure',
    'saml-malformed',
    'saml-malformed',
  ]);
});

test('the answer to a request of this service says whether all sessions have ended', () => {
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
