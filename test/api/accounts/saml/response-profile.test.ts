import { describe, expect, test } from 'vitest';
import { type Assertion, checkAssertion, readAssertion } from '#api/accounts/saml/assertion.ts';
import { inspectResponse } from '#api/accounts/saml/response-profile.ts';

/**
 * Tests each check separately: several checks reject the same attack, so an attack alone does not prove each of them.
 */
const NAMESPACES =
  'xmlns:p="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:a="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:ds="http://www.w3.org/2000/09/xmldsig#"';
const STATUS = '<p:Status><p:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></p:Status>';
const signature = (id: string, more = '') =>
  `<ds:Signature><ds:SignedInfo><ds:Reference URI="#${id}"/></ds:SignedInfo><ds:SignatureValue/>${more}</ds:Signature>`;
const response = (inner: string) => `<p:Response ${NAMESPACES} ID="r" Version="2.0">${STATUS}${inner}</p:Response>`;
const assertion = (inner = '', id = 'a') => `<a:Assertion ID="${id}">${inner}</a:Assertion>`;

describe('the form of a response', () => {
  test('determines the signed part', () => {
    expect(inspectResponse(response(assertion(signature('a'))))).toMatchObject({
      assertionSigned: true,
      responseSigned: false,
    });
    expect(inspectResponse(response(signature('r') + assertion()))).toMatchObject({
      assertionSigned: false,
      responseSigned: true,
    });
    const encrypted = inspectResponse(response(`${signature('r')}<a:EncryptedAssertion/>`));
    expect(encrypted).toMatchObject({ encrypted: true, assertionSigned: false, responseSigned: true });
  });

  test.each<[string, string]>([
    [response(assertion()), 'neither the response nor the assertion is signed'],
    [response('<a:EncryptedAssertion/>'), 'a response with an encrypted assertion must be signed itself'],
    [response(assertion(signature('a'), 'r').replace('#a', '#r')), 'an id is there twice'],
    [response(assertion(`${signature('a')}<a:x Id="r"/>`)), 'an id is there twice'],
    [response(assertion(`${signature('a')}<a:x xml:id="a"/>`)), 'an id is there twice'],
    [
      response(`<p:Extensions>${assertion(signature('a'))}</p:Extensions>`),
      'the assertion must be a child of the response',
    ],
    [response(`<p:Assertion ID="a">${signature('a')}</p:Assertion>`), 'the assertion must be a child of the response'],
    [
      response(`${assertion()}<p:Extensions>${signature('a')}</p:Extensions>`),
      'a signature must be a child of what it signs',
    ],
    [response(assertion(signature('a', '<ds:Object/>'))), 'a signature must hold nothing but its parts'],
    [response(assertion(signature('a', '<ds:SignedInfo/>'))), 'a signature must hold nothing but its parts'],
    [response(assertion(signature('r'))), 'a signature must be of its parent'],
    [response(assertion(signature(''))).replace('ID="a"', ''), 'a signature must be of its parent'],
  ])('rejects %s', (xml, message) => {
    expect(() => inspectResponse(xml)).toThrow(message);
  });
});

describe('a document that costs the parser seconds', () => {
  const refusal = 'the document has too many elements or attributes, or too deep ones';
  const levels = Array.from({ length: 5_000 }, (_, number) => `n${number}`);
  const depth = (count: number) => response('<a:x>'.repeat(count) + '</a:x>'.repeat(count));

  test.each<[string, string]>([
    ['nested namespaces', levels.map((name) => `<${name}:x xmlns:${name}="u">`).join('')],
    ['nested elements without an end', '<a>'.repeat(50_000)],
    ['an end of a tag in an attribute', '<a b="/>">'.repeat(50_000)],
    ['many elements', response('<a:x/>'.repeat(3_000))],
    ['many attributes of an element', `<a ${levels.map((name) => `${name} = ''`).join(' ')}>`],
    ['many attributes', response('<a:x b="" c="" d="" e=""/>'.repeat(2_500))],
    ['one level too many', depth(32)],
  ])('is refused before it is parsed: %s', (_name, xml) => {
    expect(() => inspectResponse(xml)).toThrow(refusal);
  });

  test.each(['<a <b/>', '<a b="<c/>"/>', `<a b='"/>`, '<'])('tags that do not end are refused: %s', (xml) => {
    expect(() => inspectResponse(xml)).toThrow('the document is not well-formed XML');
  });

  test('a response with many groups is parsed', () => {
    const value = '<a:AttributeValue xmlns:s="http://www.w3.org/2001/XMLSchema" s:type="s:string">g</a:AttributeValue>';
    const statement = `<a:AttributeStatement><a:Attribute>${value.repeat(2_900)}</a:Attribute></a:AttributeStatement>`;
    expect(inspectResponse(response(assertion(signature('a') + statement)))).toMatchObject({ assertionSigned: true });
    expect(() => inspectResponse(depth(31))).toThrow('the response must hold exactly one assertion');
  });
});

describe('an assertion', () => {
  test.each<[string, string]>([
    [`<a:Response ${NAMESPACES} Version="2.0"/>`, 'what is signed is not a SAML 2.0 assertion'],
    [`<a:Assertion ${NAMESPACES} Version="1.1"/>`, 'what is signed is not a SAML 2.0 assertion'],
    [
      `<a:Assertion ${NAMESPACES} Version="2.0"><a:Subject/><a:Subject/></a:Assertion>`,
      'the assertion must have one subject',
    ],
    [`<a:Assertion ${NAMESPACES} Version="2.0"/>`, 'the assertion must have one subject'],
    [
      `<a:Assertion ${NAMESPACES} Version="2.0"><a:Subject/><a:Conditions/><a:Conditions/></a:Assertion>`,
      'the assertion must have one subject and one set of conditions',
    ],
  ])('rejects %s', (xml, message) => {
    expect(() => readAssertion(xml)).toThrow(message);
  });

  test('uses the text of names and values, not of nested elements', () => {
    const xml = `<a:Assertion ${NAMESPACES} Version="2.0"><a:Subject><a:NameID>alice<a:x>admin</a:x></a:NameID></a:Subject>
      <a:AttributeStatement><a:Attribute Name="g"><a:AttributeValue>one</a:AttributeValue><a:AttributeValue><a:x>two</a:x></a:AttributeValue>
      </a:Attribute></a:AttributeStatement></a:Assertion>`;
    const read = readAssertion(xml);
    expect(read.nameId).toBeUndefined();
    expect(read.attributes).toEqual(new Map([['g', ['one']]]));
  });

  test('requires an id and an authentication statement', () => {
    const expected = { issuer: 'i', audience: 's', recipient: 'r' };
    const confirmation = { method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer', recipient: 'r', inResponseTo: undefined };
    const assertion: Assertion = {
      id: 'a',
      issuer: 'i',
      nameId: undefined,
      confirmations: [{ ...confirmation, notBefore: undefined, notOnOrAfter: '2030-01-01T00:00:00Z' }],
      conditions: { notBefore: undefined, notOnOrAfter: undefined, audiences: [['s', 't']] },
      authenticated: true,
      sessionNotOnOrAfter: undefined,
      sessionIndex: undefined,
      attributes: new Map(),
    };
    const now = Date.parse('2029-12-31T23:59:00Z');
    expect(checkAssertion(assertion, expected, now)).toEqual({
      id: 'a',
      inResponseTo: undefined,
      expiresAt: new Date('2030-01-01T00:02:00Z'),
    });
    expect(() => checkAssertion({ ...assertion, id: undefined }, expected, now)).toThrow('has no id');
    expect(() => checkAssertion({ ...assertion, id: '_'.repeat(513) }, expected, now)).toThrow('longer one');
    expect(() => checkAssertion({ ...assertion, authenticated: false }, expected, now)).toThrow(
      'authentication statement',
    );
    // If there are two audience restrictions, each must name this service.
    const conditions = { notBefore: undefined, notOnOrAfter: undefined, audiences: [['s'], ['t']] };
    expect(() => checkAssertion({ ...assertion, conditions }, expected, now)).toThrow('another service');
    // A confirmation without an expiry is rejected, and so is a time that is not in UTC.
    for (const notOnOrAfter of [undefined, '2030-01-01T00:00:00+01:00', 'later']) {
      const confirmations = [{ ...confirmation, notBefore: undefined, notOnOrAfter }];
      expect(() => checkAssertion({ ...assertion, confirmations }, expected, now)).toThrow('not valid now');
    }
  });
});
