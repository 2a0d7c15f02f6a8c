import { createPrivateKey, type KeyObject, randomUUID } from 'node:crypto';

/** Claims of an assertion by which a client identifies itself at a token endpoint (RFC 7523, 3). */
export interface ClientAssertion {
  readonly clientId: string;
  /** Address of the token endpoint. */
  readonly audience: string;
}

const VALIDITY = '60s';
const CURVES: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

/** True for a private key in PEM. Any other text is an assertion that was signed elsewhere. */
export const isPrivateKey = (text: string): boolean => /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text);

/** Returns an assertion that is signed with the secret of the client. */
export function assertionWithSecret(secret: string, claims: ClientAssertion): Promise<string> {
  return signed(claims, 'HS256', Buffer.from(secret));
}

/** Returns an assertion that is signed with a private key in PEM. Throws `problem` if the key cannot be used. */
export async function assertionWithKey(
  pem: string,
  claims: ClientAssertion,
  problem: (detail: string) => Error,
): Promise<string> {
  if (claims.clientId === '') throw problem('`private_key_jwt` with a private key needs the `id` of the client');
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw problem('the private key of the client cannot be read: it must be PEM and not encrypted');
  }
  const algorithm = algorithmOf(key);
  if (algorithm === undefined)
    throw problem('the private key of the client must be RSA, Ed25519, or of a NIST curve (P-256, P-384, P-521)');
  try {
    return await signed(claims, algorithm, key);
  } catch {
    throw problem('the private key of the client cannot sign: RSA needs at least 2048 bits');
  }
}

function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  switch (asymmetricKeyType) {
    case 'rsa':
      return 'RS256';
    case 'ec':
      return CURVES[asymmetricKeyDetails?.namedCurve ?? ''];
    case 'ed25519':
      return 'EdDSA';
    default:
      return undefined;
  }
}

async function signed(
  { clientId, audience }: ClientAssertion,
  algorithm: string,
  key: KeyObject | Uint8Array,
): Promise<string> {
  const { SignJWT } = await import('jose');
  return new SignJWT({ iss: clientId, sub: clientId, aud: audience, jti: randomUUID() })
    .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(VALIDITY)
    .sign(key);
}
