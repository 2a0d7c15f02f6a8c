import { errors, type JWTHeaderParameters, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { z } from 'zod';
import { type LogoutToken, ProviderUnavailable } from './provider.ts';

/** Why a logout token is rejected. Recorded in the audit log. */
export type LogoutRefusalReason =
  | 'logout-malformed'
  | 'logout-algorithm'
  | 'logout-signature'
  | 'logout-issuer'
  | 'logout-audience'
  | 'logout-time'
  | 'logout-claims'
  | 'logout-replayed';

/** A token that ends no session. The message is for the provider and for logs, and contains no input. */
export class LogoutRefusal extends Error {
  override readonly name = 'LogoutRefusal';
  readonly reason: LogoutRefusalReason;

  constructor(reason: LogoutRefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Expected issuer and audience of a token. */
export interface ExpectedLogoutToken {
  readonly issuer: string;
  readonly clientId: string;
  readonly keys: JWTVerifyGetKey;
  /** Algorithms with which the provider signs ID tokens. Those not accepted here are ignored. */
  readonly algorithms: readonly string[];
}

const MAX_TOKEN_CHARACTERS = 16 * 1024;
const CLOCK_SKEW_SECONDS = 120;
/** Maximum age of a token, regardless of its own expiry, because a logout token is sent immediately. */
const MAX_AGE_SECONDS = 600;
/** Accepted algorithms. HMAC is excluded, because clients of the provider could share its key, and so is `none`. */
const ASYMMETRIC = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/**
 * Accepted types. A token of another type, such as an access token, is not a logout token. Many providers set no type,
 * or the generic one.
 */
const TYPES = [undefined, 'jwt', 'logout+jwt', 'application/logout+jwt'];
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

const name = z.string().min(1).max(512);
const claimsSchema = z.object({
  iat: z.number(),
  exp: z.number(),
  jti: name,
  sub: name.optional(),
  sid: name.optional(),
  events: z.object({ [EVENT]: z.record(z.string(), z.unknown()) }),
});

/**
 * Verifies a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6): signature, issuer, audience, times, and the
 * claims that only a logout token has. The caller must reject reused tokens.
 * @throws LogoutRefusal, ProviderUnavailable
 */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, keys, algorithms }: ExpectedLogoutToken,
  now = new Date(),
): Promise<LogoutToken> {
  if (token.length > MAX_TOKEN_CHARACTERS) throw new LogoutRefusal('logout-malformed', 'the token is too large');
  let verified: { readonly payload: JWTPayload; readonly protectedHeader: JWTHeaderParameters };
  try {
    verified = await jwtVerify(token, keys, {
      issuer,
      audience: clientId,
      algorithms: ASYMMETRIC.filter((one) => algorithms.includes(one)),
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      clockTolerance: CLOCK_SKEW_SECONDS,
      maxTokenAge: MAX_AGE_SECONDS,
      currentDate: now,
    });
  } catch (error) {
    throw refusalOf(error);
  }
  const { payload, protectedHeader } = verified;
  if (!TYPES.includes(protectedHeader.typ?.toLowerCase()))
    throw new LogoutRefusal('logout-malformed', 'the type of the token is not logout+jwt');
  if ('nonce' in payload) throw new LogoutRefusal('logout-claims', 'a logout token has no nonce');
  const claims = claimsSchema.safeParse(payload);
  if (!claims.success)
    throw new LogoutRefusal('logout-claims', 'must have iat, exp, jti and the back-channel logout event');
  const { iat, exp, jti, sub: subject, sid } = claims.data;
  if (subject === undefined && sid === undefined) throw new LogoutRefusal('logout-claims', 'must have sub or sid');
  const ends = Math.min(exp, iat + MAX_AGE_SECONDS) + CLOCK_SKEW_SECONDS;
  return { jti, subject, sid, expiresAt: new Date(Math.ceil(ends) * 1_000) };
}

const CLAIM_REASONS: Readonly<Record<string, readonly [LogoutRefusalReason, string]>> = {
  iss: ['logout-issuer', 'the token is of another issuer'],
  aud: ['logout-audience', 'the token is for another client'],
  iat: ['logout-time', 'the token was not issued within the last ten minutes'],
  exp: ['logout-time', 'the token has no end, or has expired'],
  nbf: ['logout-time', 'the token is not valid yet'],
};

/** Converts an error of the library into a refusal. Other errors stay as they are. */
function refusalOf(cause: unknown): unknown {
  if (cause instanceof errors.JWTExpired || cause instanceof errors.JWTClaimValidationFailed) {
    const [reason, message] = CLAIM_REASONS[cause.claim] ?? ['logout-claims', 'a claim is missing or not valid'];
    return new LogoutRefusal(reason, message, { cause });
  }
  if (cause instanceof errors.JOSEAlgNotAllowed || cause instanceof errors.JOSENotSupported)
    return new LogoutRefusal('logout-algorithm', 'the token uses an algorithm that is not accepted', { cause });
  if (
    cause instanceof errors.JWSSignatureVerificationFailed ||
    cause instanceof errors.JWKSNoMatchingKey ||
    cause instanceof errors.JWKSMultipleMatchingKeys
  )
    return new LogoutRefusal('logout-signature', 'the signature of the token is not valid', { cause });
  if (cause instanceof errors.JWTInvalid || cause instanceof errors.JWSInvalid)
    return new LogoutRefusal('logout-malformed', 'the token is not a signed JWT', { cause });
  // An error of the provider's keys.
  if (cause instanceof errors.JOSEError)
    return new ProviderUnavailable('the keys of the provider cannot be read', { cause });
  return cause;
}
