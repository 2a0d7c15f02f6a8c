import { createRequire } from 'node:module';
import { refuseRepeatedIds, signedElement } from './response-profile.ts';
import { SamlRefusal } from './saml-refusal.ts';
import { elementsOf, parseXml, type XmlElement } from './xml.ts';

/**
 * The part of the library that is used here. The library's public functions also check a message for a sign-in, and
 * return the content of the document instead of the signed content. Its type package declares browser types for the
 * whole program.
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
 * Returns the signed document of a message of the HTTP-POST binding (base64), and no unsigned content. Accepts exactly
 * one signature, which must be a child of the root and cover the root. Signature wrapping needs another structure,
 * which is rejected before the signature is verified.
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

/** Creates a message for the HTTP-POST binding. The signature follows the issuer, as the SAML schema requires. */
export function signPostMessage(xml: string, privateKey: string): string {
  const root = '/*';
  const location = { reference: `${root}/*[local-name(.)="Issuer"]`, action: 'after' } as const;
  return signXml(xml, root, location, { privateKey, signatureAlgorithm: 'sha256', digestAlgorithm: 'sha256' });
}

function verified(xml: string, root: XmlElement, certificates: readonly string[]): string | null {
  try {
    return getVerifiedXml(xml, root, certificates);
  } catch (cause) {
    // The library does not report reliably which check failed.
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
