import { createVerify } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { MAX_ID_CHARACTERS } from './assertion.ts';
import { readPostMessage } from './post-message.ts';
import { SamlRefusal } from './saml-refusal.ts';
import { attributeOf, childrenNamed, isNamed, NS, parseXml, textOf, type XmlElement } from './xml.ts';

/** Expected issuer and recipient of a logout message. */
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
  /** Until this time the request must be rejected if it is used again. */
  readonly expiresAt: Date;
}

const MAX_QUERY_CHARACTERS = 16 * 1024;
const MAX_XML_BYTES = 64 * 1024;
const CLOCK_SKEW_MS = 120_000;
/** Lifetime of a request without an expiry. */
const LIFETIME_MS = 300_000;
/** Accepted hashes. SHA-1 is excluded. */
const HASHES: Readonly<Record<string, string>> = {
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256': 'RSA-SHA256',
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512': 'RSA-SHA512',
};
type Parameter = 'SAMLRequest' | 'SAMLResponse';
const PARAMETERS = ['SAMLRequest', 'SAMLResponse', 'RelayState', 'SigAlg', 'Signature'];
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/**
 * An unparsed message: the query string of the HTTP-Redirect binding without the question mark, or the fields of the
 * HTTP-POST binding.
 */
export type LogoutMessage = string | LogoutForm;

/** Fields of the HTTP-POST binding. The signature is in the document. */
export interface LogoutForm {
  readonly SAMLRequest?: string | undefined;
  readonly SAMLResponse?: string | undefined;
  readonly RelayState?: string | undefined;
}

/**
 * Parses and verifies a LogoutRequest. With the redirect binding the signature covers the raw query string (SAML
 * bindings, 3.4.4.1), so no XML signature can be wrapped. For the POST binding, see `readPostMessage`.
 * @throws SamlRefusal
 */
export function readLogoutRequest(message: LogoutMessage, expected: ExpectedLogout, nowMs: number): LogoutRequest {
  const { root: request, relayState } = verifiedMessage(message, 'SAMLRequest', 'LogoutRequest', expected.certificates);
  const id = attributeOf(request, 'ID');
  const nameIds = childrenNamed(request, NS.assertion, 'NameID');
  const nameId = nameIds.length === 1 ? textOf(nameIds[0]) : undefined;
  if (id === undefined || nameId === undefined)
    throw new SamlRefusal('saml-structure', 'the request needs an id and one NameID that is not encrypted');
  if (id.length > MAX_ID_CHARACTERS)
    throw new SamlRefusal('saml-structure', 'the id of the request has more than 512 characters');
  requireParties(request, expected);
  const issued = timeOf(attributeOf(request, 'IssueInstant'));
  const end = attributeOf(request, 'NotOnOrAfter');
  const endsAt = end === undefined ? issued + LIFETIME_MS : timeOf(end);
  // An invalid time compares as false.
  if (!(issued <= nowMs + CLOCK_SKEW_MS && endsAt > nowMs - CLOCK_SKEW_MS))
    throw new SamlRefusal('saml-time', 'the request is not valid now');
  return { id, nameId, relayState, expiresAt: new Date(endsAt + CLOCK_SKEW_MS) };
}

/**
 * Parses and verifies a LogoutResponse. Returns whether the provider ended all sessions of the person.
 * @throws SamlRefusal
 */
export function readLogoutResponse(message: LogoutMessage, expected: ExpectedLogout): { readonly complete: boolean } {
  const { root: response } = verifiedMessage(message, 'SAMLResponse', 'LogoutResponse', expected.certificates);
  requireParties(response, expected);
  const [status] = childrenNamed(response, NS.protocol, 'Status');
  const [code] = childrenNamed(status, NS.protocol, 'StatusCode');
  const partial = childrenNamed(code, NS.protocol, 'StatusCode').length > 0;
  return { complete: attributeOf(code, 'Value') === SUCCESS && !partial };
}

/** Returns the document of a message after its signature was verified. */
function verifiedMessage(
  message: LogoutMessage,
  parameter: Parameter,
  name: 'LogoutRequest' | 'LogoutResponse',
  certificates: readonly string[],
): { readonly root: XmlElement; readonly relayState: string } {
  const { root, relayState } =
    typeof message === 'string'
      ? redirected(message, parameter, certificates)
      : {
          root: readPostMessage(message[parameter] ?? '', certificates),
          relayState: message.RelayState ?? '',
        };
  if (!isNamed(root, NS.protocol, name) || attributeOf(root, 'Version') !== '2.0')
    throw new SamlRefusal('saml-structure', `the document is not a SAML 2.0 ${name}`);
  return { root, relayState };
}

function redirected(query: string, parameter: Parameter, certificates: readonly string[]) {
  const raw = parametersOf(query);
  verifySignature(raw, parameter, certificates);
  return { root: parseXml(inflated(decoded(raw.get(parameter)))), relayState: decoded(raw.get('RelayState')) };
}

function requireParties(message: XmlElement, { issuer, destination }: ExpectedLogout): void {
  if (textOf(childrenNamed(message, NS.assertion, 'Issuer')[0]) !== issuer)
    throw new SamlRefusal('saml-issuer', 'the message is of another identity provider');
  if (attributeOf(message, 'Destination') !== destination)
    throw new SamlRefusal('saml-destination', 'the message is for another address');
}

/** Returns the parameters with their raw values. A duplicate parameter is invalid. */
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

function verifySignature(raw: ReadonlyMap<string, string>, message: Parameter, certificates: readonly string[]): void {
  const signature = Buffer.from(decoded(raw.get('Signature')), 'base64');
  if (signature.length === 0) throw new SamlRefusal('saml-signature', 'the request is not signed');
  const hash = HASHES[decoded(raw.get('SigAlg'))];
  if (hash === undefined)
    throw new SamlRefusal('saml-algorithm', 'the signature uses an algorithm that is not accepted');
  const signed = [message, 'RelayState', 'SigAlg'].flatMap((name) =>
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

/** Returns NaN for an invalid SAML time. SAML times are in UTC. */
function timeOf(text = ''): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
}
