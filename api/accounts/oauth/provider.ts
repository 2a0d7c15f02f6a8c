import type { Attributes, ProviderPolicy } from './provider-policy.ts';

/**
 * An identity provider that authenticates people for this service. Each implementation is one file: an identity
 * provider (OpenID Connect) and a code host (OAuth 2.0 and its API). It only reports what the provider asserts;
 * `linking-rule.ts` decides.
 */
export interface SignInProvider {
  /** Part of URLs and of `oauth_identities`. Never changes. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Not set: `DEFAULT_POLICY`. */
  readonly policy?: ProviderPolicy;
  /** Facts for the administration. */
  readonly facts: ProviderFacts;
  /** Path at which the provider ends sessions of this service. Not set: it cannot. */
  readonly logoutPath?: string;
  /** Checks what a sign-in would need, without the cache. Rejects with `ProviderUnavailable`. */
  test(): Promise<void>;
  /** Returns the URL to which the browser is sent. Rejects with `ProviderUnavailable`. */
  authorizationUrl(attempt: SignInAttempt): Promise<URL>;
  /**
   * Exchanges the code of the callback and requests the account.
   * @param callback the redirect URI with the received parameters
   * @throws ProviderUnavailable, ProviderRefusal
   */
  account(callback: URL, attempt: SignInAttempt): Promise<ProviderAccount>;
  /**
   * Returns the URL that also ends the session at the provider. Not set: that session continues.
   * @param session of the account that signed in
   * @param returnUrl URL to which the provider may send the browser afterwards
   * @throws ProviderUnavailable
   */
  signOutUrl?(session: ProviderSession, returnUrl: string): Promise<URL>;
  /**
   * Verifies a logout token, by which the provider ends sessions of this service. Not set: it cannot send them.
   * @throws LogoutRefusal, ProviderUnavailable
   */
  verifyLogout?(token: string): Promise<LogoutToken>;
}

export interface ProviderFacts {
  readonly protocol: 'oidc' | 'oauth' | 'saml';
  /** Issuer, URL or entity id. */
  readonly issuer: string;
  /** SAML: signing certificates of the provider. */
  readonly certificates: readonly { readonly subject: string; readonly endsAt: Date }[];
}

/** Binds a callback to the browser that began the sign-in. Secret until the sign-in is complete. */
export interface SignInAttempt {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636): an attacker who has only the code cannot exchange it. */
  readonly codeVerifier: string;
}

export interface ProviderAccount {
  /** The provider's id of the account. It never changes, unlike the address. */
  readonly subject: string;
  /** Lower case. Undefined if the provider reports none. */
  readonly email: string | undefined;
  /** True if the provider asserts that the address belongs to this person. */
  readonly emailVerified: boolean;
  /** Name at the provider, a first suggestion for the username. */
  readonly login: string | undefined;
  /** Claims that the policy of the provider reads. */
  readonly attributes?: Attributes;
  /** The provider's id of its session, if reported. */
  readonly sid?: string;
  /** Set by a provider whose session ends with the local session. */
  readonly session?: ProviderSession;
}

/** Content of a verified logout token. It names a session, an account, or both. */
export interface LogoutToken {
  readonly jti: string;
  readonly subject: string | undefined;
  readonly sid: string | undefined;
  /** Until this time the token must be rejected if it is used again. */
  readonly expiresAt: Date;
}

/** Data that a provider needs to end its session. Opaque outside of the provider's own file. */
export type ProviderSession = Readonly<Record<string, string>>;

/** The provider does not respond, or responds incorrectly. A retry may succeed. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** Why a provider's response is rejected or missing. `denied`: the person or the provider denied access. */
export type RefusalReason = 'denied' | 'invalid-response';

/** This sign-in cannot succeed; a new one may. The message is for logs and contains no input. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
