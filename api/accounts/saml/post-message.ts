import { createRequire } from 'node:module';
import { refuseRepeatedIds, signedElement } from './response-profile.ts';
import { SamlRefusal } from './saml-refusal.ts';
import { elementsOf, parseXml, type XmlElement } from './xml.ts';

/**
 * As much of the library as is used here. Its public functions check a message for a sign-in too, and return what a document says, not what was signed.
 * Its types declare those of browsers for the whole program.
 */
interface SignatureLibrary {
  getVerifiedXml(xml: string, element: XmlElement, certificates: readonly string[]): string | null;
  signXml(
    xml: string,
    xpath: string,
    location: { readonly reference: string; readonly action: 'after' },
    options: { readonly privateKey: string; readonly signatureAlgorithm: 'sha256'; readonly digestAlgorithm: 'sha256' },
  ): string;
}

const require = createRequire(import.meta.url);
const { getVerifiedXml, signXml } = require('@node-saml/node-saml/lib/xml.js') as SignatureLibrary;

const MAX_XML_BYTES = 64 * 1024;

/**
 * The document that a message of the HTTP-POST binding (base64) has signed, and nothing else of it. Accepted is one signature, a child of the root
 * and over the root: signature wrapping needs another form, and each is refused before the signature is verified.
 * @throws SamlRefusal
 */
export function readPostMessage(message: string, certificates: readonly string[]): XmlElement {
  const xml = decoded(message);
  const root = parseXml(xml);
  const all = [...elementsOf(root)];
  refuseRepeatedIds(all);
  const signatures = all.filter(({ localName }) => localName === 'Signature');
  if (signatures.length === 0) throw new SamlRefusal('saml-signature', 'the message is not signed');
  if (signatures.length > 1) throw new SamlRefusal('saml-structure', 'the message has several signatures');
  for (const signature of signatures) signedElement(signature, [root]);
  const signed = verified(xml, root, certificates);
  if (signed === null) throw new SamlRefusal('saml-signature', 'the signature of the message is not valid');
  return parseXml(signed);
}

/** A message for the HTTP-POST binding, signed where the schema of SAML wants it: after the issuer. */
export function signPostMessage(xml: string, privateKey: string): string {
  const root = '/*';
  const location = { reference: `${root}/*[local-name(.)="Issuer"]`, action: 'after' } as const;
  return signXml(xml, root, location, { privateKey, signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' });
}

function verified(xml: string, root: XmlElement, certificates: readonly string[]): string | null {
  try {
    return getVerifiedXml(xml, root, certificates);
  } catch (cause) {
    // The library does not say which of its checks failed in a form that could be relied on.
    throw new SamlRefusal('saml-signature', 'the signature of the message is not valid', { cause });
  }
}

function decoded(message: string): string {
  if (message.length > 2 * MAX_XML_BYTES || !/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(message))
    throw new SamlRefusal('saml-malformed', 'the message is not base64, or too large');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(message, 'base64'));
  } catch (cause) {
    throw new SamlRefusal('saml-malformed', 'the message is not UTF-8', { cause });
  }
}
