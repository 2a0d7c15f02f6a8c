import { createVerify } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SamlRefusal } from './saml-refusal.ts';
import { attributeOf, childrenNamed, isNamed, NS, parseXml, textOf } from './xml.ts';

/** What a request to end sessions must be from and for. */
export interface ExpectedLogout {
  readonly certificates: readonly string[];
  readonly issuer: string;
  readonly destination: string;
}

/** A verified request of an identity provider to end the sessions of a person. */
export interface LogoutRequest {
  readonly id: string;
  readonly nameId: string;
  readonly relayState: string;
  /** Until then the same request would be accepted again. */
  readonly expiresAt: Date;
}

const MAX_QUERY_CHARACTERS = 16 * 1024;
const MAX_XML_BYTES = 64 * 1024;
const CLOCK_SKEW_MS = 120_000;
/** A request without an end is accepted for so long. */
const LIFETIME_MS = 300_000;
/** Without SHA-1. */
const HASHES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'RSA-SHA256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'RSA-SHA512',
};
const PARAMETERS = ['SAMLRequest', 'RelayState', 'SigAlg', 'Signature'];

/**
 * Reads a LogoutRequest of the HTTP-Redirect binding. The signature is over the query as it came (SAML bindings, 3.4.4.1), so no XML signature is
 * involved that could be wrapped. `query`: without the question mark.
 * @throws SamlRefusal
 */
export function readLogoutRequest(query: string, expected: ExpectedLogout, nowMs: number): LogoutRequest {
  const raw = parametersOf(query);
  verifySignature(raw, expected.certificates);
  const request = parseXml(inflated(decoded(raw.get('SAMLRequest'))));
  if (!isNamed(request, NS.protocol, 'LogoutRequest') || attributeOf(request, 'Version') !== '2.0')
    throw new SamlRefusal('saml-structure', 'the document is no SAML 2.0 logout request');
  const id = attributeOf(request, 'ID');
  const nameIds = childrenNamed(request, NS.assertion, 'NameID');
  const nameId = nameIds.length === 1 ? textOf(nameIds[0]) : undefined;
  if (id === undefined || nameId === undefined)
    throw new SamlRefusal('saml-structure', 'the request needs an id and one NameID that is not encrypted');
  if (textOf(childrenNamed(request, NS.assertion, 'Issuer')[0]) !== expected.issuer)
    throw new SamlRefusal('saml-issuer', 'the request is of another identity provider');
  if (attributeOf(request, 'Destination') !== expected.destination)
    throw new SamlRefusal('saml-destination', 'the request is for another address');
  const issued = timeOf(attributeOf(request, 'IssueInstant'));
  const end = attributeOf(request, 'NotOnOrAfter');
  const endsAt = end === undefined ? issued + LIFETIME_MS : timeOf(end);
  // A time that cannot be read compares as false.
  if (!(issued <= nowMs + CLOCK_SKEW_MS && endsAt > nowMs - CLOCK_SKEW_MS))
    throw new SamlRefusal('saml-time', 'the request is not valid now');
  return { id, nameId, relayState: decoded(raw.get('RelayState')), expiresAt: new Date(endsAt + CLOCK_SKEW_MS) };
}

/** The parameters with their values as they came. A parameter that is there twice has no meaning. */
function parametersOf(query: string): ReadonlyMap<string, string> {
  if (query.length > MAX_QUERY_CHARACTERS) throw new SamlRefusal('saml-malformed', 'the request is too large');
  const raw = new Map<string, string>();
  for (const pair of query.split('&')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    if (!PARAMETERS.includes(name)) continue;
    if (raw.has(name)) throw new SamlRefusal('saml-malformed', 'a parameter is there twice');
    raw.set(name, value);
  }
  return raw;
}

function verifySignature(raw: ReadonlyMap<string, string>, certificates: readonly string[]): void {
  const signature = Buffer.from(decoded(raw.get('Signature')), 'base64');
  if (signature.length === 0) throw new SamlRefusal('saml-signature', 'the request is not signed');
  const hash = HASHES[decoded(raw.get('SigAlg'))];
  if (hash === undefined)
    throw new SamlRefusal('saml-algorithm', 'the signature uses an algorithm that is not accepted');
  const signed = ['SAMLRequest', 'RelayState', 'SigAlg'].flatMap((name) =>
    raw.has(name) ? [`${name}=${raw.get(name)}`] : [],
  );
  const text = signed.join('&');
  if (!certificates.some((certificate) => createVerify(hash).update(text).verify(certificate, signature)))
    throw new SamlRefusal('saml-signature', 'the signature of the request is not valid');
}

function decoded(value = ''): string {
  try {
    return decodeURIComponent(value.replaceAll('+', '%20'));
  } catch (error) {
    throw new SamlRefusal('saml-malformed', 'a parameter is not percent-encoded', { cause: error });
  }
}

function inflated(base64: string): string {
  try {
    const xml = inflateRawSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_XML_BYTES });
    return new TextDecoder('utf-8', { fatal: true }).decode(xml);
  } catch (error) {
    throw new SamlRefusal('saml-malformed', 'the request is not deflated UTF-8, or too large', { cause: error });
  }
}

/** NaN for what is no time of SAML: those are in UTC. */
function timeOf(text = ''): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
}
