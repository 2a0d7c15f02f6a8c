import { X509Certificate } from 'node:crypto';
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml';
import { createBoundedFetch } from '../oauth/bounded-fetch.ts';
import {
  type ProviderAccount,
  ProviderRefusal,
  type ProviderSession,
  ProviderUnavailable,
  type SignInProvider,
} from '../oauth/provider.ts';
import { claimsOf, isAllowedDomain, type ProviderPolicy } from '../oauth/provider-policy.ts';
import { reportedEmail } from '../oauth/reported-email.ts';
import type { Seal } from '../second-factor/check-code.ts';
import { type Assertion, checkAssertion, type Proven, readAssertion } from './assertion.ts';
import { inspectResponse, type ResponseFacts } from './response-profile.ts';
import { createSamlLogout, type SamlLogout } from './saml-logout.ts';
import { SamlRefusal } from './saml-refusal.ts';

export interface SamlProviderConfig {
  readonly id: string;
  readonly name: string;
  readonly policy: ProviderPolicy;
  /** Of the identity provider. */
  readonly entityId: string;
  /** Its address for requests, HTTP-Redirect binding. */
  readonly signInUrl: string;
  /** Its address for messages about the end of sessions. Not set: its requests to end sessions are not accepted. */
  readonly signOutUrl?: string | undefined;
  /** The binding of the messages to this address. Its own are accepted in both. Default: `redirect`. */
  readonly signOutBinding?: 'redirect' | 'post' | undefined;
  /** `provider`: a sign-out here asks the provider to end all sessions of the person. It needs `signOutUrl` and `signing`. Default: `here`. */
  readonly signOut?: 'here' | 'provider' | undefined;
  /** PEM. Several while the provider changes its key. */
  readonly certificates: readonly string[];
  /** Of this service. Not set: the address of the metadata. */
  readonly serviceEntityId?: string | undefined;
  readonly signing?: KeyPair | undefined;
  readonly decryption?: KeyPair | undefined;
  readonly signatures: 'either' | 'assertion' | 'response' | 'both';
  /** Attributes. Subject not set: the NameID. Email not set: the usual names, or a NameID that is an address. */
  readonly claims: {
    readonly subject?: string | undefined;
    readonly email?: string | undefined;
    readonly username?: string | undefined;
  };
  /** Accept responses that answer no request. */
  readonly idpInitiated: boolean;
  /** Paths that such a response may lead to by its RelayState; others lead to `/`. */
  readonly returnPaths: readonly string[];
}

export interface KeyPair {
  readonly key: string;
  readonly certificate: string;
}

export interface SamlProvider extends SignInProvider {
  readonly config: SamlProviderConfig;
  /** Describes this service to the identity provider. */
  metadata(): string;
  /**
   * Verifies a response (base64) and says whom it is of.
   * @throws SamlRefusal
   */
  verify(response: string): Promise<Proven & { readonly account: ProviderAccount }>;
  /** Requests of the identity provider to end sessions; undefined when they are not accepted. */
  readonly logout: SamlLogout | undefined;
}

/** Takes the account of a verified response that waits, once; undefined when no account waits with this code for this request. */
export type TakeAnswer = (answer: {
  readonly provider: string;
  readonly code: string;
  readonly requestId: string;
}) => Promise<ProviderAccount | undefined>;

const MAX_RESPONSE_CHARACTERS = 512 * 1024;
const EMAIL_ATTRIBUTES = [
  'email',
  'mail',
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
];
const FORMAT_EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const FORMAT_TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/**
 * Sign-in by SAML 2.0 (web browser profile: request by redirect, response by POST). The library makes requests, verifies signatures and decrypts;
 * which responses get there is decided by `inspectResponse`, what a verified assertion must say by `checkAssertion`.
 */
export function createSamlProvider(
  config: SamlProviderConfig,
  {
    publicUrl,
    takeAnswer,
    seal,
    now = Date.now,
  }: {
    readonly publicUrl: () => string;
    readonly takeAnswer: TakeAnswer;
    readonly seal: Seal;
    readonly now?: () => number;
  },
): SamlProvider {
  const { id, name, policy } = config;
  const base = () => `${publicUrl()}/api/auth/saml/${id}`;
  const consumer = () => `${base()}/acs`;
  const logoutAddress = () => `${base()}/slo`;
  const ownId = () => config.serviceEntityId ?? `${base()}/metadata`;

  const library = (requestId?: string) =>
    libraryFor(config, { callbackUrl: consumer(), logoutUrl: logoutAddress(), issuer: ownId(), requestId });
  const logout = createSamlLogout(config, { address: logoutAddress, library, seal, now });
  const fetch = createBoundedFetch();

  /** The assertion that is signed, decrypted. */
  async function verifiedAssertion(response: string): Promise<string> {
    try {
      const { profile } = await library().validatePostResponseAsync({ SAMLResponse: response });
      const xml = profile?.getAssertionXml?.();
      if (xml !== undefined) return xml;
    } catch (error) {
      // The library does not say which of its checks failed in a form that could be relied on.
      throw new SamlRefusal('saml-signature', 'the signature or the encryption of the response is not valid', {
        cause: error,
      });
    }
    throw new SamlRefusal('saml-signature', 'no part of the response is signed');
  }

  return {
    id,
    name,
    policy,
    config,
    facts: {
      protocol: 'saml',
      issuer: config.entityId,
      certificates: config.certificates.map((text) => {
        const { subject, validTo } = new X509Certificate(text);
        return { subject, endsAt: new Date(validTo) };
      }),
    },
    ...(config.signOutUrl === undefined ? {} : { logoutPath: `/api/auth/saml/${id}/slo` }),
    async test() {
      if (this.facts.certificates.every(({ endsAt }) => endsAt.getTime() <= now()))
        throw new ProviderUnavailable('all certificates of the provider have ended');
      // Any answer will do: without a request the address has nothing to say.
      await fetch(config.signInUrl, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' });
    },
    metadata: () =>
      // The library names the POST binding alone. Of two, providers take the first that they know.
      library()
        .generateServiceProviderMetadata(config.decryption?.certificate ?? null, config.signing?.certificate ?? null)
        .replace(/(<SingleLogoutService Binding="[^"]*):HTTP-POST"([^>]*\/>)/, '$1:HTTP-Redirect"$2$1:HTTP-POST"$2'),
    logout,
    ...(logout !== undefined && config.signOut === 'provider' ? { signOutUrl: logout.requestUrl } : {}),

    async authorizationUrl({ state, nonce }) {
      return new URL(await library(requestIdOf(nonce)).getAuthorizeUrlAsync(state, undefined, {}));
    },

    async account(callback, { nonce }) {
      const code = callback.searchParams.get('code') ?? '';
      const account = await takeAnswer({ provider: id, code, requestId: requestIdOf(nonce) });
      if (account === undefined)
        throw new ProviderRefusal('invalid-response', 'no verified response waits for this sign-in');
      return account;
    },

    async verify(response) {
      const facts = inspectResponse(decode(response));
      refuseEnvelope(facts, { issuer: config.entityId, destination: consumer() });
      const assertion = readAssertion(await verifiedAssertion(response));
      const expected = { issuer: config.entityId, audience: ownId(), recipient: consumer() };
      const proven = checkAssertion(assertion, expected, now());
      if (facts.inResponseTo !== undefined && facts.inResponseTo !== proven.inResponseTo)
        throw new SamlRefusal('saml-request', 'response and assertion answer different requests');
      return { ...proven, account: accountOf(assertion, config) };
    },
  };
}

/** The library with the settings of a provider. `requestId`: of the request that is made. */
function libraryFor(
  { signInUrl, signOutUrl, certificates, signing, decryption, signatures }: SamlProviderConfig,
  own: {
    readonly callbackUrl: string;
    readonly logoutUrl: string;
    readonly issuer: string;
    readonly requestId: string | undefined;
  },
): SAML {
  const { callbackUrl, logoutUrl, issuer, requestId } = own;
  return new SAML({
    callbackUrl,
    issuer,
    entryPoint: signInUrl,
    ...(signOutUrl === undefined ? {} : { logoutUrl: signOutUrl, logoutCallbackUrl: logoutUrl }),
    idpCert: [...certificates],
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    signatureAlgorithm: 'sha256',
    ...(signing === undefined ? {} : { privateKey: signing.key }),
    ...(decryption === undefined ? {} : { decryptionPvk: decryption.key }),
    ...(requestId === undefined ? {} : { generateUniqueId: () => requestId }),
    wantAssertionsSigned: signatures === 'assertion' || signatures === 'both',
    // Before anything is decrypted: see `inspectResponse`.
    wantAuthnResponseSigned: signatures === 'response' || signatures === 'both' || decryption !== undefined,
    // `checkAssertion` does these, with a reason for each: of the library, off.
    audience: false,
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.never,
  });
}

/** The id of a request, from the nonce of the sign-in: the cookie of the browser holds it. */
export function requestIdOf(nonce: string): string {
  return `_${nonce}`;
}

function decode(response: string): string {
  if (response.length > MAX_RESPONSE_CHARACTERS || !/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(response))
    throw new SamlRefusal('saml-malformed', 'the response is not base64, or too large');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(response, 'base64'));
  } catch (error) {
    throw new SamlRefusal('saml-malformed', 'the response is not UTF-8', { cause: error });
  }
}

function refuseEnvelope(
  facts: ResponseFacts,
  expected: { readonly issuer: string; readonly destination: string },
): void {
  if (facts.issuer !== undefined && facts.issuer !== expected.issuer)
    throw new SamlRefusal('saml-issuer', 'the response is of another identity provider');
  // SAML bindings, 3.5.5.2: a signed response names its destination.
  const mustName = facts.responseSigned || facts.destination !== undefined;
  if (mustName && facts.destination !== expected.destination)
    throw new SamlRefusal('saml-destination', 'the response is for another address');
}

function accountOf(assertion: Assertion, { claims, policy, signOut }: SamlProviderConfig): ProviderAccount {
  const { nameId, attributes } = assertion;
  const first = (attribute: string) => attributes.get(attribute)?.[0];
  const subject = claims.subject === undefined ? nameId?.value : first(claims.subject);
  if (subject === undefined || subject.length > 512)
    throw new SamlRefusal('saml-subject', 'the assertion does not say which account it is');
  if (claims.subject === undefined && nameId?.format === FORMAT_TRANSIENT)
    throw new SamlRefusal('saml-subject', 'a transient NameID is another one at each sign-in');
  const attribute = claims.email ?? EMAIL_ATTRIBUTES.find((one) => first(one) !== undefined);
  const email = reportedEmail(
    attribute === undefined ? (nameId?.format === FORMAT_EMAIL ? nameId.value : undefined) : first(attribute),
  );
  return {
    subject,
    email,
    // SAML has no assertion of that: the operator's list of domains is the proof, see `IDENTITY_PROVIDERS`.
    emailVerified: policy.allowedDomains !== undefined && isAllowedDomain(policy, email),
    login: claims.username === undefined ? undefined : first(claims.username),
    attributes: new Map(claimsOf(policy).map((claim) => [claim, attributes.get(claim) ?? []])),
    ...(signOut === 'provider' ? { session: sessionOf(assertion) } : {}),
  };
}

function sessionOf({ nameId, sessionIndex }: Assertion): ProviderSession {
  const { value, format, qualifier, serviceQualifier } = nameId ?? {};
  const given = { nameId: value, format, qualifier, serviceQualifier, sessionIndex };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
