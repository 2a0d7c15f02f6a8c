import { createHash, createSecretKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { type Role, roleSchema } from '#schemas/api/roles.ts';

/** What a token says. It proves who signed it, not that the session still holds: that is looked up. */
export interface SessionClaims {
  readonly sid: string;
  /** At the time of signing in. */
  readonly role: Role;
}

export interface SessionTokens {
  sign(claims: SessionClaims, expiresAt: Date): Promise<string>;
  /** Undefined for whatever we did not sign, and for what has expired. */
  verify(token: string): Promise<SessionClaims | undefined>;
}

const ALGORITHM = 'HS256';
const AUDIENCE = 'trapline/session';
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Ours have about 300 characters. */
const MAX_TOKEN_CHARACTERS = 1024;

/** Tokens signed with the first of the secrets; those of the others, which came before it, are still believed. */
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

/** Identifies a secret without revealing it: 64 bits of a hash that is used for nothing else. */
function keyId(secret: string): string {
  return createHash('sha256').update(`trapline/session-key-id:${secret}`).digest('base64url').slice(0, 11);
}
