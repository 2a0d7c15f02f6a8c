import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { type Role, roleSchema } from '#schemas/api/roles.ts';

/**
 * The content of a token. It proves that this service signed it, but not that the session still exists, which the
 * database decides.
 */
export interface SessionClaims {
  readonly sid: string;
  /** Role at the time of the sign-in. */
  readonly role: Role;
}

export interface SessionTokens {
  sign(claims: SessionClaims, expiresAt: Date): Promise<string>;
  /** Returns the content of a token. Undefined for a forged or expired token. */
  verify(token: string): Promise<SessionClaims | undefined>;
}

const ALGORITHM = 'HS256';
const AUDIENCE = 'trapline/session';
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Tokens of this service have about 300 characters. */
const MAX_TOKEN_CHARACTERS = 1024;

/** Creates and verifies tokens. The first secret signs; tokens of the other, earlier secrets are still accepted. */
export function createSessionTokens(secrets: readonly [string, ...string[]]): SessionTokens {
  const keys = new Map<string, KeyObject>(secrets.map((secret) => [keyId(secret), createSecretKey(secret, 'utf8')]));
  const current = keyId(secrets[0]);
  const signing = keys.get(current) as KeyObject;

  return {
    sign: ({ sid, role }, expiresAt) =>
      new SignJWT({ sid, role })
        .setProtectedHeader({ alg: ALGORITHM, kid: current })
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime(Math.floor(expiresAt.getTime() / 1000))
        .sign(signing),
    async verify(token) {
      if (token.length > MAX_TOKEN_CHARACTERS) return undefined;
      try {
        const { payload } = await jwtVerify(
          token,
          ({ kid = '' }) => {
            const key = keys.get(kid);
            if (key === undefined) throw new errors.JWSSignatureVerificationFailed();
            return key;
          },
          { algorithms: [ALGORITHM], audience: AUDIENCE, requiredClaims: ['exp'] },
        );
        const role = roleSchema.safeParse(payload.role);
        const { sid } = payload;
        return role.success && typeof sid === 'string' && UUID.test(sid) ? { sid, role: role.data } : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

/** Identifies a secret without revealing it: 64 bits of a hash that has no other use. */
function keyId(secret: string): string {
  return createHash('sha256').update(`trapline/session-key-id:${secret}`).digest('base64url').slice(0, 11);
}
