/**
 * Reference to a secret, which the worker resolves when it sends a request. It cannot be forged: the interpreter
 * rejects external data with the key `$secret`, and only names declared in the definition become references. Only HTTP
 * calls may use secrets, because a script or sub-workflow could leak them.
 */
export interface SecretReference {
  readonly $secret: string;
}

/** A string, or a reference that the worker resolves. */
export type SecretText = string | SecretReference;

/** A token for a subject or an actor in a token exchange (RFC 8693). */
export interface OAuth2Token {
  readonly token: SecretText;
  readonly type: string;
}

/** Client authentication methods at an OAuth 2.0 token endpoint. */
export const CLIENT_AUTHENTICATIONS = [
  'client_secret_post',
  'client_secret_basic',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];

/** OAuth 2.0 grants without user interaction. */
export const GRANTS = [
  'client_credentials',
  'password',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:token-exchange',
] as const;
export type OAuth2Grant = (typeof GRANTS)[number];

/** An OAuth 2.0 or OpenID Connect policy. Stored executions from earlier versions lack the optional members. */
export interface OAuth2Policy {
  readonly scheme: 'oauth2';
  /** Address of the token endpoint, or of the discovery document if `discover` is set. */
  readonly tokenUrl: string;
  readonly discover?: true;
  /** Default: `client_credentials`. */
  readonly grant?: OAuth2Grant;
  readonly clientId?: SecretText;
  readonly clientSecret?: SecretText;
  /** For `private_key_jwt`: a signed JWT, or the private key that signs one for each token request. */
  readonly clientAssertion?: SecretText;
  readonly clientAuthentication: ClientAuthentication;
  /** Sends the token request as JSON instead of a form. */
  readonly json?: true;
  readonly scopes: readonly string[];
  readonly audiences: readonly string[];
  /** Accepted token issuers. If undefined, all are accepted. */
  readonly issuers?: readonly string[];
  readonly username?: SecretText;
  readonly password?: SecretText;
  readonly subject?: OAuth2Token;
  readonly actor?: OAuth2Token;
}

/**
 * Authentication of a call. `secret` names a secret. Its value is JSON `{username, password}` for basic and digest, the
 * token for bearer, the policy as JSON for `oauth2` and `oidc`, and PEM for `certificate`: see `readClientCertificate`.
 */
export type HttpAuthentication =
  | { readonly scheme: 'basic' | 'digest'; readonly username: SecretText; readonly password: SecretText }
  | { readonly scheme: 'basic' | 'digest'; readonly secret: string }
  | { readonly scheme: 'bearer'; readonly token: SecretText }
  | { readonly scheme: 'bearer'; readonly secret: string }
  | OAuth2Policy
  | { readonly scheme: 'oauth2-secret'; readonly secret: string; readonly oidc: boolean }
  | { readonly scheme: 'certificate'; readonly secret: string };
