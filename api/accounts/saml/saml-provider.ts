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
  /** Entity id of the identity provider. */
  readonly entityId: string;
  /** URL of the identity provider for sign-in requests, HTTP-Redirect binding. */
  readonly signInUrl: string;
  /** URL of the identity provider for logout messages. Not set: its logout requests are not accepted. */
  readonly signOutUrl?: string | undefined;
  /** Binding of the messages to this URL. Messages from the provider are accepted in both bindings. Default: `redirect`. */
  readonly signOutBinding?: 'redirect' | 'post' | undefined;
  /**
   * `provider`: a sign-out at this service requests the provider to end all sessions of the person. Requires
   * `signOutUrl` and `signing`. Default: `here`.
   */
  readonly signOut?: 'here' | 'provider' | undefined;
  /** PEM certificates of the provider. Several while the provider changes its key. */
  readonly certificates: readonly string[];
  /** Entity id of this service. Not set: the URL of the metadata. */
  readonly serviceEntityId?: string | undefined;
  readonly signing?: KeyPair | undefined;
  readonly decryption?: KeyPair | undefined;
  readonly signatures: 'either' | 'assertion' | 'response' | 'both';
  /**
   * Attribute names. If the subject is not set: the NameID. If the e-mail is not set: the usual names, or a NameID that
   * is an e-mail address.
   */
  readonly claims: {
    readonly subject?: string | undefined;
    readonly email?: string | undefined;
    readonly username?: string | undefined;
  };
  /** True: responses without a request are accepted. */
  readonly idpInitiated: boolean;
  /** Paths to which such a response may lead by its RelayState. Others lead to `/`. */
  readonly returnPaths: readonly string[];
}

export interface KeyPair {
  readonly key: string;
  readonly certificate: string;
}

export interface SamlProvider extends SignInProvider {
  readonly config: SamlProviderConfig;
  /** Returns the metadata that describes this service to the identity provider. */
  metadata(): string;
  /**
   * Verifies a response (base64) and returns its account.
   * @throws SamlRefusal
   */
  verify(response: string): Promise<Proven & { readonly account: ProviderAccount }>;
  /** Handles logout requests of the identity provider. Undefined if they are not accepted. */
  readonly logout: SamlLogout | undefined;
}

/**
 * Removes and returns the stored account of a verified response. Undefined if no account is stored under this code for
 * this request.
 */
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
 * Sign-in by SAML 2.0 (web browser profile: request by redirect, response by POST). The library creates requests,
 * verifies signatures and decrypts. `inspectResponse` decides which responses the library receives, and
 * `checkAssertion` checks the verified assertion.
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

  /** Returns the signed assertion, decrypted. */
  async function verifiedAssertion(response: string): Promise<string> {
    try {
      const { profile } = await library().validatePostResponseAsync({ SAMLResponse: response });
      const xml = profile?.getAssertionXml?.();
      if (xml !== undefined) return xml;
    } catch (error) {
      // The library does not report reliably which check failed.
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
        throw new ProviderUnavailable('all certificates of the provider have expired');
      // Any response suffices: without a request the URL has no defined response.
      await fetch(config.signInUrl, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' });
    },
    metadata: () =>
      // The library lists only the POST binding. The redirect binding is added before it, because providers use the first
      // binding that they support.
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

/** Creates the library with the settings of a provider. `requestId` is the id of the request to create. */
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
    // Required before decryption: see `inspectResponse`.
    wantAuthnResponseSigned: signatures === 'response' || signatures === 'both' || decryption !== undefined,
    // Disabled in the library, because `checkAssertion` checks them and reports each reason.
    audience: false,
    acceptedClockSkewMs: -1,
    validateInResponseTo: ValidateInResponseTo.never,
  });
}

/** Returns the id of a request, derived from the nonce of the sign-in. The browser's cookie contains the nonce. */
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
  // SAML bindings, 3.5.5.2: a signed response must name its destination.
  const mustName = facts.responseSigned || facts.destination !== undefined;
  if (mustName && facts.destination !== expected.destination)
    throw new SamlRefusal('saml-destination', 'the response is for another address');
}

function accountOf(assertion: Assertion, { claims, policy, signOut }: SamlProviderConfig): ProviderAccount {
  const { nameId, attributes } = assertion;
  const first = (attribute: string) => attributes.get(attribute)?.[0];
  const subject = claims.subject === undefined ? nameId?.value : first(claims.subject);
  if (subject === undefined || subject.length > 512)
    throw new SamlRefusal('saml-subject', 'the assertion does not identify an account');
  if (claims.subject === undefined && nameId?.format === FORMAT_TRANSIENT)
    throw new SamlRefusal('saml-subject', 'a transient NameID is another one at each sign-in');
  const attribute = claims.email ?? EMAIL_ATTRIBUTES.find((one) => first(one) !== undefined);
  const email = reportedEmail(
    attribute === undefined ? (nameId?.format === FORMAT_EMAIL ? nameId.value : undefined) : first(attribute),
  );
  return {
    subject,
    email,
    // SAML does not assert verified addresses. The operator's list of domains is the proof; see `IDENTITY_PROVIDERS`.
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
