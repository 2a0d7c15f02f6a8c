import { SamlRefusal } from './saml-refusal.ts';
import {
  attributeOf,
  childrenNamed,
  childrenOf,
  elementsOf,
  isNamed,
  NS,
  parseXml,
  textOf,
  type XmlElement,
} from './xml.ts';

/**
 * The content of a response outside of its assertion. Only signed content is proven; unsigned content may only cause a
 * rejection.
 */
export interface ResponseFacts {
  readonly destination: string | undefined;
  readonly inResponseTo: string | undefined;
  readonly issuer: string | undefined;
  readonly encrypted: boolean;
  readonly responseSigned: boolean;
  /** False for an encrypted assertion, for which it is unknown. */
  readonly assertionSigned: boolean;
}

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const XML_ID = 'http://www.w3.org/XML/1998/namespace';
/**
 * Accepted algorithms. Excluded: SHA-1, HMAC (a public key would be the shared secret), and canonicalization that keeps
 * comments.
 */
const ALGORITHMS: Readonly<Record<string, readonly string[]>> = {
  CanonicalizationMethod: ['http://www.w3.org/2001/10/xml-exc-c14n#'],
  SignatureMethod: [
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
    'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
  ],
  DigestMethod: ['http://www.w3.org/2001/04/xmlenc#sha256', 'http://www.w3.org/2001/04/xmlenc#sha512'],
  Transform: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', 'http://www.w3.org/2001/10/xml-exc-c14n#'],
};
/** Accepted encryption algorithms. Excluded: RSA 1.5 for keys (Bleichenbacher) and triple DES. */
const ENCRYPTION: readonly string[] = [
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
  'http://www.w3.org/2009/xmlenc11#rsa-oaep',
];

/**
 * Accepts only responses with the structure that identity providers send:
 * - one assertion, a child of the response
 * - signatures only as children of these two, each covering its parent and nothing else
 * - no duplicate id
 *
 * Signature wrapping needs a second assertion, a moved signature or a reference to another element. Each of these is
 * rejected before the signature is verified.
 * @throws SamlRefusal
 */
export function inspectResponse(xml: string): ResponseFacts {
  const response = parseXml(xml);
  if (!isNamed(response, NS.protocol, 'Response') || response.getAttribute('Version') !== '2.0')
    throw new SamlRefusal('saml-structure', 'the document is not a SAML 2.0 response');
  const all = [...elementsOf(response)];
  refuseRepeatedIds(all);
  const [statusCode] = childrenNamed(childrenNamed(response, NS.protocol, 'Status')[0], NS.protocol, 'StatusCode');
  if (attributeOf(statusCode, 'Value') !== SUCCESS)
    throw new SamlRefusal('saml-status', 'the identity provider reports a failure');

  const assertion = onlyAssertion(response, all);
  const encrypted = assertion.localName === 'EncryptedAssertion';
  const signed = all
    .filter((element) => element.localName === 'Signature')
    .map((signature) => signedElement(signature, encrypted ? [response] : [response, assertion]));
  if (new Set(signed).size !== signed.length)
    throw new SamlRefusal('saml-structure', 'an element has several signatures');
  for (const element of all) refuseEncryption(element);
  const responseSigned = signed.includes(response);
  // A signature over the ciphertext proves that the identity provider created it. Decryption is then no oracle for
  // ciphertexts of attackers.
  if (encrypted && !responseSigned)
    throw new SamlRefusal('saml-signature', 'a response with an encrypted assertion must be signed itself');
  if (signed.length === 0) throw new SamlRefusal('saml-signature', 'neither the response nor the assertion is signed');
  return {
    destination: attributeOf(response, 'Destination'),
    inResponseTo: attributeOf(response, 'InResponseTo'),
    issuer: textOf(childrenNamed(response, NS.assertion, 'Issuer')[0]),
    encrypted,
    responseSigned,
    assertionSigned: !encrypted && signed.includes(assertion),
  };
}

/**
 * Throws if an id is not unique.
 * @throws SamlRefusal
 */
export function refuseRepeatedIds(all: readonly XmlElement[]): void {
  const seen = new Set<string>();
  for (const element of all) {
    const ids = [...['ID', 'Id', 'id'].map((name) => element.getAttribute(name)), element.getAttributeNS(XML_ID, 'id')];
    for (const id of ids.filter((value) => value !== null && value !== '') as string[]) {
      if (seen.has(id)) throw new SamlRefusal('saml-structure', 'an id is there twice');
      seen.add(id);
    }
  }
}

function onlyAssertion(response: XmlElement, all: readonly XmlElement[]): XmlElement {
  // Compares the local name only: code that ignores namespaces must not mistake an element of another namespace for an
  // assertion.
  const [assertion, ...others] = all.filter(
    ({ localName }) => localName === 'Assertion' || localName === 'EncryptedAssertion',
  );
  if (assertion === undefined || others.length > 0)
    throw new SamlRefusal('saml-structure', 'the response must hold exactly one assertion');
  if (assertion.parentNode !== response || assertion.namespaceURI !== NS.assertion)
    throw new SamlRefusal('saml-structure', 'the assertion must be a child of the response');
  return assertion;
}

/**
 * Returns the element that a signature covers: its parent, which must be one of `allowed`.
 * @throws SamlRefusal
 */
export function signedElement(signature: XmlElement, allowed: readonly XmlElement[]): XmlElement {
  const parent = allowed.find((element) => element === signature.parentNode);
  if (parent === undefined || signature.namespaceURI !== NS.signature)
    throw new SamlRefusal('saml-structure', 'a signature must be a child of what it signs');
  const parts = childrenOf(signature).map(({ localName }) => localName);
  const [info] = childrenNamed(signature, NS.signature, 'SignedInfo');
  const references = [...elementsOf(signature)].filter(({ localName }) => localName === 'Reference');
  const [reference] = references;
  if (
    parts.some((name) => !['SignedInfo', 'SignatureValue', 'KeyInfo'].includes(name)) ||
    new Set(parts).size !== parts.length
  )
    throw new SamlRefusal('saml-structure', 'a signature must hold nothing but its parts');
  if (references.length !== 1 || reference?.parentNode !== info)
    throw new SamlRefusal('saml-structure', 'a signature must have one reference');
  const id = attributeOf(parent, 'ID');
  if (id === undefined || attributeOf(reference, 'URI') !== `#${id}`)
    throw new SamlRefusal('saml-structure', 'a signature must be of its parent');
  for (const element of info === undefined ? [] : elementsOf(info)) {
    const known = ALGORITHMS[element.localName];
    if (known !== undefined && !known.includes(element.getAttribute('Algorithm') ?? ''))
      throw new SamlRefusal('saml-algorithm', 'the signature uses an algorithm that is not accepted');
  }
  return parent;
}

function refuseEncryption(element: XmlElement): void {
  if (element.localName !== 'EncryptionMethod') return;
  if (!ENCRYPTION.includes(element.getAttribute('Algorithm') ?? ''))
    throw new SamlRefusal('saml-algorithm', 'the encryption uses an algorithm that is not accepted');
}
