import type { Attributes, ProviderPolicy } from './provider-policy.ts';

/**
 * An identity provider that authenticates people for this service. One file each implements it: an identity provider (OpenID Connect) and a code host
 * (OAuth 2.0 and its API). What they say is only reported here; what follows from it is decided in `linking-rule.ts`.
 */
export interface SignInProvider {
  /** Stands in URLs and in `oauth_identities`; never changes. */
  readonly id: string;
  /** What people read. */
  readonly name: string;
  /** Not set: `DEFAULT_POLICY`. */
  readonly policy?: ProviderPolicy;
  /** What administrators see of it. */
  readonly facts: ProviderFacts;
  /** Path of this service where the provider ends sessions. Not set: it cannot. */
  readonly logoutPath?: string;
  /** Asks the provider what a sign-in would need, past what is remembered. Rejects with `ProviderUnavailable`. */
  test(): Promise<void>;
  /** Where to send the browser. Rejects with `ProviderUnavailable`. */
  authorizationUrl(attempt: SignInAttempt): Promise<URL>;
  /**
   * Exchanges the code of the callback and asks who it is.
   * @param callback the address the provider sent the browser back to: the redirect URI with the parameters as they came
   * @throws ProviderUnavailable, ProviderRefusal
   */
  account(callback: URL, attempt: SignInAttempt): Promise<ProviderAccount>;
  /**
   * Where to send the browser to end the session at the provider too. Not set: the session there goes on.
   * @param session of the account that signed in
   * @param returnUrl where the provider may send the browser afterwards
   * @throws ProviderUnavailable
   */
  signOutUrl?(session: ProviderSession, returnUrl: string): Promise<URL>;
  /**
   * Verifies a logout token, by which the provider ends sessions here. Not set: it cannot send them.
   * @throws LogoutRefusal, ProviderUnavailable
   */
  verifyLogout?(token: string): Promise<LogoutToken>;
}

export interface ProviderFacts {
  readonly protocol: 'oidc' | 'oauth' | 'saml';
  /** Issuer, address or entity id. */
  readonly issuer: string;
  /** Of SAML: those that the provider signs with. */
  readonly certificates: readonly { readonly subject: string; readonly endsAt: Date }[];
}

/** What binds a callback to the browser that began. Secret until the sign-in is through. */
export interface SignInAttempt {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** PKCE (RFC 7636): an attacker who has only the code cannot exchange it. */
  readonly codeVerifier: string;
}

export interface ProviderAccount {
  /** The provider's own id of the account: it never changes, unlike its address. */
  readonly subject: string;
  /** Lower case; undefined when the provider reports none. */
  readonly email: string | undefined;
  /** The provider asserts that the address is this person's. */
  readonly emailVerified: boolean;
  /** What the person is called there, as a first idea of a username. */
  readonly login: string | undefined;
  /** The claims that the policy of the provider reads. */
  readonly attributes?: Attributes;
  /** The provider's own id of its session, if it names one. */
  readonly sid?: string;
  /** Of a provider whose session ends with the session here. */
  readonly session?: ProviderSession;
}

/** What a verified logout token says. It names a session, an account, or both. */
export interface LogoutToken {
  readonly jti: string;
  readonly subject: string | undefined;
  readonly sid: string | undefined;
  /** Until then the same token would be accepted again. */
  readonly expiresAt: Date;
}

/** What a provider needs to end its session of a person. Only the provider's own file reads it. */
export type ProviderSession = Readonly<Record<string, string>>;

/** The provider does not answer, or not as it should; trying again later may help. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** Why a provider's response is refused or missing. `denied`: the person or the provider denied access. */
export type RefusalReason = 'denied' | 'invalid-response';

/** This sign-in can't succeed; a new one may. The message is for logs and holds nothing that came in. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
