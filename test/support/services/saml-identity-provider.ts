import { execFile } from 'node:child_process';
import { createSign } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';

const run = promisify(execFile);

/** The used part of samlify. Its own types declare browser types for the whole program. */
interface Samlify {
  readonly SamlLib: {
    constructSAMLSignature(options: object): string;
  };
  setSchemaValidator(validator: { readonly validate: () => Promise<string> }): void;
  ServiceProvider(settings: object): object;
  IdentityProvider(settings: object): {
    parseLoginRequest(sp: object, binding: 'redirect', request: object): Promise<{ readonly extract: unknown }>;
    parseLogoutRequest(
      sp: object,
      binding: 'redirect' | 'post',
      request: object,
    ): Promise<{ readonly extract: unknown }>;
    parseLogoutResponse(sp: object, binding: 'post', request: object): Promise<{ readonly extract: unknown }>;
    createLoginResponse(
      sp: object,
      request: object,
      binding: 'post',
      user: object,
      options: { readonly customTagReplacement: () => object; readonly encryptThenSign: boolean },
    ): Promise<{ readonly context: string }>;
  };
}
const require = createRequire(import.meta.url);
const samlify = require('samlify') as Samlify;
// These tests do not validate against the SAML schemas.
samlify.setSchemaValidator({ validate: async () => 'not validated' });

export interface SamlKeyPair {
  readonly key: string;
  readonly certificate: string;
}

/** Creates a new RSA key with a self-signed certificate, with openssl. */
export async function makeSamlKeyPair(name: string): Promise<SamlKeyPair> {
  const folder = await mkdtemp(join(tmpdir(), 'saml-keys-'));
  try {
    const file = join(folder, 'key.pem');
    await run('openssl', ['genpkey', '-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048', '-out', file]);
    const { stdout } = await run('openssl', [
      'req',
      '-x509',
      '-new',
      '-key',
      file,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
    ]);
    return { key: await readFile(file, 'utf8'), certificate: stdout };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Parts of a response. A test can change each part before the response is signed. */
export interface SamlValues {
  readonly responseIssuer: string;
  readonly issuer: string;
  readonly destination: string;
  readonly recipient: string;
  readonly audience: string | undefined;
  /** Undefined if the response answers no request. */
  readonly inResponseTo: string | undefined;
  readonly responseInResponseTo: string | undefined;
  readonly nameId: string;
  readonly nameIdFormat: string;
  readonly method: string;
  readonly notBefore: Date;
  readonly notOnOrAfter: Date;
  readonly confirmedUntil: Date;
  readonly sessionUntil: Date | undefined;
  readonly status: string;
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  readonly id: string;
}

export interface SamlIdentityProvider {
  readonly entityId: string;
  readonly signInUrl: string;
  readonly keys: SamlKeyPair;
  /** Verifies a request of the redirect binding. Resolves to its id. Rejects if the signature is wrong or missing. */
  readRequest(metadata: string, url: URL): Promise<string>;
  readonly signOutUrl: string;
  /**
   * Returns the query of a logout request over the redirect binding, signed, for the service described by the metadata.
   */
  requestLogout(metadata: string, values?: Partial<LogoutValues>): string;
  /** Returns the document of a logout request for the POST binding, signed by the library. */
  postLogout(metadata: string, values?: Partial<LogoutValues>): string;
  /**
   * Verifies a logout request of the redirect binding or the POST binding. Rejects if the signature is wrong or
   * missing.
   */
  readLogout(metadata: string, message: URL | Readonly<Record<string, string>>): Promise<ReceivedLogout>;
  /** Verifies the response to a logout request of the provider, for the POST binding. */
  readLogoutAnswer(metadata: string, form: Readonly<Record<string, string>>): Promise<unknown>;
  /**
   * Returns the query of a logout response, signed like the provider's requests. `status`: the status codes, the outer
   * one first.
   */
  answerLogout(metadata: string, values?: Partial<LogoutValues> & { readonly status?: readonly string[] }): string;
  /** Returns the document of a logout response for the POST binding, signed by the library. */
  postLogoutAnswer(metadata: string, values?: Partial<LogoutValues> & { readonly status?: readonly string[] }): string;
  /** Resolves to a response in base64 for the service described by the metadata. */
  respond(metadata: string, options?: SamlResponseOptions): Promise<string>;
}

export interface ReceivedLogout {
  readonly request: { readonly id: string; readonly destination: string };
  readonly nameID: string;
  readonly sessionIndex: string;
}

export interface LogoutValues {
  readonly id: string;
  readonly nameId: string;
  readonly issuer: string;
  readonly destination: string;
  readonly issueInstant: Date;
  readonly notOnOrAfter: Date | undefined;
  readonly relayState: string;
  readonly algorithm: string;
  /** Key that signs instead of the provider's own key. */
  readonly key: string;
  /** Text that replaces the XML of the request. */
  readonly xml: string;
  readonly parameter: 'SAMLRequest' | 'SAMLResponse';
}

export interface SamlResponseOptions {
  readonly values?: Partial<SamlValues>;
  /** Default: `assertion`. */
  readonly signed?: 'assertion' | 'response' | 'both';
  /** True if the assertion is encrypted and the result is then signed. */
  readonly encrypted?: boolean;
  readonly keyEncryption?: string;
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
let responses = 0;

/** Creates a SAML 2.0 identity provider (samlify) without a server: the test posts the form of its browser binding. */
export function createSamlIdentityProvider(entityId: string, keys: SamlKeyPair): SamlIdentityProvider {
  const signInUrl = `${entityId}/sso`;
  const idp = (options: SamlResponseOptions) =>
    samlify.IdentityProvider({
      entityID: entityId,
      privateKey: keys.key,
      signingCert: keys.certificate,
      isAssertionEncrypted: options.encrypted === true,
      wantAuthnRequestsSigned: true,
      wantLogoutRequestSigned: true,
      wantLogoutResponseSigned: true,
      requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      dataEncryptionAlgorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
      keyEncryptionAlgorithm: options.keyEncryption ?? 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
      // Not used; without it the library logs a warning.
      singleLogoutService: [
        { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${entityId}/slo` },
        { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', Location: `${entityId}/slo` },
      ],
      singleSignOnService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: signInUrl }],
    });

  return {
    entityId,
    signInUrl,
    signOutUrl: `${entityId}/slo`,
    keys,
    requestLogout(metadata, values = {}) {
      return logoutQuery({ issuer: entityId, destination: serviceOf(metadata), key: keys.key, ...values });
    },
    postLogout(metadata, values = {}) {
      const given = { issuer: entityId, destination: serviceOf(metadata), key: keys.key, ...values };
      return postedLogout(given.xml ?? logoutXml(given), { ...keys, key: given.key });
    },
    answerLogout(metadata, { status, ...values } = {}) {
      const given = { issuer: entityId, destination: serviceOf(metadata), ...values };
      const xml = logoutAnswerXml({ ...given, status });
      return logoutQuery({ key: keys.key, xml, parameter: 'SAMLResponse', ...given });
    },
    postLogoutAnswer(metadata, { status, ...values } = {}) {
      const given = { issuer: entityId, destination: serviceOf(metadata), ...values };
      return postedLogout(logoutAnswerXml({ ...given, status }), { ...keys, key: values.key ?? keys.key });
    },
    async readLogout(metadata, message) {
      const sp = samlify.ServiceProvider({ metadata });
      const { extract } = await (message instanceof URL
        ? idp({}).parseLogoutRequest(sp, 'redirect', redirected(message))
        : idp({}).parseLogoutRequest(sp, 'post', { body: message }));
      return extract as ReceivedLogout;
    },
    async readLogoutAnswer(metadata, form) {
      const sp = samlify.ServiceProvider({ metadata });
      return (await idp({}).parseLogoutResponse(sp, 'post', { body: form })).extract;
    },
    async readRequest(metadata, url) {
      const sp = samlify.ServiceProvider({ metadata });
      const { extract } = await idp({}).parseLoginRequest(sp, 'redirect', redirected(url));
      return (extract as { readonly request: { readonly id: string } }).request.id;
    },
    async respond(metadata, options = {}) {
      const { signed = 'assertion', encrypted = false } = options;
      const wanted = metadata
        .replace(/ WantAssertionsSigned="[^"]*"/, '')
        .replace('<SPSSODescriptor', `<SPSSODescriptor WantAssertionsSigned="${signed !== 'response'}"`);
      const sp = samlify.ServiceProvider({ metadata: wanted, wantMessageSigned: signed !== 'assertion' });
      const context = responseXml({ ...valuesFor(metadata, entityId), ...options.values });
      const made = await idp(options).createLoginResponse(
        sp,
        { extract: {} },
        'post',
        {},
        {
          customTagReplacement: () => ({ id: '', context }),
          encryptThenSign: encrypted,
        },
      );
      return made.context;
    },
  };
}

const serviceOf = (metadata: string) => /<SingleLogoutService [^>]*Location="([^"]+)"/.exec(metadata)?.[1] ?? '';

/** Returns a message of the redirect binding in the form that the library expects. */
function redirected({ searchParams, search }: URL) {
  return {
    query: Object.fromEntries(searchParams),
    octetString: search.slice(1, search.indexOf('&Signature=')),
  };
}

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

type GivenLogout = Partial<LogoutValues> & Pick<LogoutValues, 'issuer' | 'destination'>;

function logoutXml(given: GivenLogout): string {
  responses += 1;
  const { id = `_logout-${responses}-${Date.now()}`, nameId = 'alice@example.org' } = given;
  const { issuer, destination, issueInstant = new Date(), notOnOrAfter } = given;
  const until = notOnOrAfter === undefined ? '' : ` NotOnOrAfter="${notOnOrAfter.toISOString()}"`;
  return [
    '<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"',
    ` ID="${id}" Version="2.0" IssueInstant="${issueInstant.toISOString()}" Destination="${destination}"${until}>`,
    `<saml:Issuer>${issuer}</saml:Issuer><saml:NameID>${nameId}</saml:NameID></samlp:LogoutRequest>`,
  ].join('');
}

function logoutAnswerXml(given: GivenLogout & { readonly status: readonly string[] | undefined }): string {
  const { issuer, destination, id = '_answer', status = ['Success'] } = given;
  const [outer = '', inner] = status.map((code) => `urn:oasis:names:tc:SAML:2.0:status:${code}`);
  const within = inner === undefined ? '' : `<samlp:StatusCode Value="${inner}"/>`;
  return [
    '<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"',
    ` ID="${id}" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${destination}">`,
    `<saml:Issuer>${issuer}</saml:Issuer>`,
    `<samlp:Status><samlp:StatusCode Value="${outer}">${within}</samlp:StatusCode></samlp:Status></samlp:LogoutResponse>`,
  ].join('');
}

/** Adds a signature by the library, as a child of the root after the issuer. */
function postedLogout(rawSamlMessage: string, { key, certificate }: SamlKeyPair): string {
  return samlify.SamlLib.constructSAMLSignature({
    rawSamlMessage,
    isMessageSigned: true,
    isBase64Output: false,
    privateKey: key,
    signingCert: certificate.replaceAll(/-----[^-]+-----|\s/g, ''),
    signatureAlgorithm: RSA_SHA256,
    signatureConfig: {
      prefix: 'ds',
      location: { reference: "/*/*[local-name(.)='Issuer']", action: 'after' },
    },
  });
}

/** Signs without the library, because the signature covers the query. */
function logoutQuery(given: GivenLogout & Pick<LogoutValues, 'key'>): string {
  const { relayState = 'state of the provider (1)!', algorithm = RSA_SHA256, parameter = 'SAMLRequest' } = given;
  const xml = given.xml ?? logoutXml(given);
  const signed = [
    `${parameter}=${encodeURIComponent(deflateRawSync(xml).toString('base64'))}`,
    `RelayState=${encodeURIComponent(relayState)}`,
    `SigAlg=${encodeURIComponent(algorithm)}`,
  ].join('&');
  const hash = algorithm.endsWith('sha1') ? 'RSA-SHA1' : 'RSA-SHA256';
  const signature = createSign(hash).update(signed).sign(given.key, 'base64');
  return `${signed}&Signature=${encodeURIComponent(signature)}`;
}

function valuesFor(metadata: string, issuer: string): SamlValues {
  const recipient = /<AssertionConsumerService [^>]*Location="([^"]+)"/.exec(metadata)?.[1] ?? '';
  const minutes = (count: number) => new Date(Date.now() + count * 60_000);
  responses += 1;
  return {
    responseIssuer: issuer,
    issuer,
    destination: recipient,
    recipient,
    audience: /entityID="([^"]+)"/.exec(metadata)?.[1] ?? '',
    inResponseTo: undefined,
    responseInResponseTo: undefined,
    nameId: 'alice@example.org',
    nameIdFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
    method: BEARER,
    notBefore: minutes(-1),
    notOnOrAfter: minutes(5),
    confirmedUntil: minutes(5),
    sessionUntil: undefined,
    status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
    attributes: {},
    id: `_assertion-${responses}-${Date.now()}`,
  };
}

function responseXml(v: SamlValues): string {
  const answers = (id: string | undefined) => (id === undefined ? '' : ` InResponseTo="${id}"`);
  const now = new Date().toISOString();
  const attributes = Object.entries(v.attributes).map(
    ([name, values]) =>
      `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
  );
  const restriction =
    v.audience === undefined
      ? ''
      : `<saml:AudienceRestriction><saml:Audience>${v.audience}</saml:Audience></saml:AudienceRestriction>`;
  return [
    '<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"',
    ` ID="_response-of-${v.id}" Version="2.0" IssueInstant="${now}" Destination="${v.destination}"${answers(v.responseInResponseTo ?? v.inResponseTo)}>`,
    `<saml:Issuer>${v.responseIssuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${v.status}"/></samlp:Status>`,
    `<saml:Assertion ID="${v.id}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${v.issuer}</saml:Issuer>`,
    `<saml:Subject><saml:NameID Format="${v.nameIdFormat}">${v.nameId}</saml:NameID><saml:SubjectConfirmation Method="${v.method}">`,
    `<saml:SubjectConfirmationData NotOnOrAfter="${v.confirmedUntil.toISOString()}" Recipient="${v.recipient}"${answers(v.inResponseTo)}/>`,
    '</saml:SubjectConfirmation></saml:Subject>',
    `<saml:Conditions NotBefore="${v.notBefore.toISOString()}" NotOnOrAfter="${v.notOnOrAfter.toISOString()}">${restriction}</saml:Conditions>`,
    `<saml:AuthnStatement AuthnInstant="${now}" SessionIndex="index of ${v.id}"${v.sessionUntil === undefined ? '' : ` SessionNotOnOrAfter="${v.sessionUntil.toISOString()}"`}>`,
    '<saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>',
    attributes.length === 0 ? '' : `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`,
    '</saml:Assertion></samlp:Response>',
  ].join('');
}
