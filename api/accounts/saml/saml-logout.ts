import { stringify } from 'node:querystring';
import type { Profile, SAML } from '@node-saml/node-saml';
import { z } from 'zod';
import type { ProviderSession } from '../oauth/provider.ts';
import type { Seal } from '../second-factor/check-code.ts';
import {
  type ExpectedLogout,
  type LogoutMessage,
  type LogoutRequest,
  readLogoutRequest,
  readLogoutResponse,
} from './logout-request.ts';
import { signPostMessage } from './post-message.ts';

/** The settings of a provider that single logout needs. */
export interface SamlLogoutConfig {
  readonly id: string;
  readonly entityId: string;
  readonly signOutUrl?: string | undefined;
  readonly signOutBinding?: 'redirect' | 'post' | undefined;
  readonly signing?: { readonly key: string } | undefined;
  readonly certificates: readonly string[];
}

export interface SamlLogout {
  /**
   * Verifies a request of the provider.
   * @throws SamlRefusal
   */
  verify(message: LogoutMessage): LogoutRequest;
  /** Returns the response that the sessions have ended, which the browser takes to the provider. */
  answer(request: LogoutRequest): Promise<Outgoing>;
  /**
   * Verifies the response to a request of this service.
   * @throws SamlRefusal
   */
  verifyAnswer(message: LogoutMessage): { readonly complete: boolean };
  /** Returns a URL with a signed request to end all sessions of the person at the provider. */
  requestUrl(session: ProviderSession): Promise<URL>;
  /** Returns the POST form of the request that a URL of `requestUrl` contains. Undefined if the URL is forged or too old. */
  requestForm(sealed: string): PostForm | undefined;
}

/** Message that the browser takes to the provider, in the binding that the provider accepts. */
export type Outgoing =
  | { readonly kind: 'redirect'; readonly location: string }
  | { readonly kind: 'post'; readonly form: PostForm };

/** A form that the browser posts to another site. */
export interface PostForm {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const FORMAT_UNSPECIFIED = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified';
/** Lifetime of a request form. The browser follows the redirect immediately. */
const FORM_LIFE_MS = 5 * 60_000;
const formSchema = z.object({ message: z.string(), until: z.number() });

/**
 * Creates single logout for a provider with a logout URL. The metadata lists one URL of this service for all logout
 * messages.
 */
export function createSamlLogout(
  { id, signOutUrl, signOutBinding = 'redirect', signing, certificates, entityId }: SamlLogoutConfig,
  own: {
    readonly address: () => string;
    readonly library: () => SAML;
    readonly seal: Seal;
    readonly now: () => number;
  },
): SamlLogout | undefined {
  if (signOutUrl === undefined) return undefined;
  const expected = (): ExpectedLogout => ({ certificates, issuer: entityId, destination: own.address() });
  const context = `SAML logout request:${id}`;
  const encoded = (xml: string) =>
    Buffer.from(signing === undefined ? xml : signPostMessage(xml, signing.key)).toString('base64');
  return {
    verify: (message) => readLogoutRequest(message, expected(), own.now()),
    verifyAnswer: (message) => readLogoutResponse(message, expected()),
    async answer({ id: ID, nameId, relayState }) {
      const request = { ID, issuer: entityId, nameID: nameId, nameIDFormat: '' };
      if (signOutBinding === 'redirect') {
        const address = await own.library().getLogoutResponseUrlAsync(request, relayState, {}, true);
        return { kind: 'redirect', location: asSigned(address) };
      }
      const SAMLResponse = encoded(own.library()._generateLogoutResponse(request, true));
      const fields = { SAMLResponse, ...(relayState === '' ? {} : { RelayState: relayState }) };
      return { kind: 'post', form: { action: signOutUrl, fields } };
    },
    async requestUrl(session) {
      const person = personOf(session, entityId);
      if (signOutBinding === 'redirect')
        return new URL(asSigned(await own.library().getLogoutUrlAsync(person, '', {})));
      const message = encoded(await own.library()._generateLogoutRequest(person));
      const url = new URL(`${own.address()}/request`);
      const sealed = own.seal.seal(JSON.stringify({ message, until: own.now() + FORM_LIFE_MS }), context);
      url.searchParams.set('message', sealed.toString('base64url'));
      return url;
    },
    requestForm(sealed) {
      const opened = own.seal.open(Buffer.from(sealed, 'base64url'), context);
      if (opened === undefined) return undefined;
      const { message, until } = formSchema.parse(JSON.parse(opened));
      return until < own.now() ? undefined : { action: signOutUrl, fields: { SAMLRequest: message } };
    },
  };
}

function personOf(
  { nameId = '', format = FORMAT_UNSPECIFIED, qualifier, serviceQualifier, sessionIndex }: ProviderSession,
  issuer: string,
): Profile {
  return {
    issuer,
    nameID: nameId,
    nameIDFormat: format,
    ...(qualifier === undefined ? {} : { nameQualifier: qualifier }),
    ...(serviceQualifier === undefined ? {} : { spNameQualifier: serviceQualifier }),
    ...(sessionIndex === undefined ? {} : { sessionIndex }),
  };
}

/**
 * Restores the encoding that was signed. The library signs the parameters in one encoding and sends them in another,
 * which differs for spaces and some punctuation.
 */
function asSigned(address: string): string {
  const { origin, pathname, searchParams } = new URL(address);
  return `${origin}${pathname}?${stringify(Object.fromEntries(searchParams))}`;
}
