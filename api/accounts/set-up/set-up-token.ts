import { createHmac, timingSafeEqual } from 'node:crypto';

export const SET_UP_MINUTES = 30;

/**
 * The token of a link that makes the first administrator: when it expires, and an HMAC-SHA-256 of that under the newest of `secrets` (AUTH_SECRET).
 * Nothing is stored: the token is good as long as no administrator exists, so it is used up by the account that it makes.
 */
export function setUpToken(secrets: readonly string[], now: Date): string {
  const expires = String(Math.floor(now.getTime() / 1000) + SET_UP_MINUTES * 60);
  return `${expires}.${signature(secrets[0] ?? '', expires)}`;
}

/** True for a token of one of the secrets that has not expired. */
export function isSetUpToken(secrets: readonly string[], token: string, now: Date): boolean {
  const [, expires, signed = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
  if (expires === undefined || Number(expires) * 1000 <= now.getTime()) return false;
  const given = Buffer.from(signed);
  return secrets.some((secret) => timingSafeEqual(given, Buffer.from(signature(secret, expires))));
}

function signature(secret: string, expires: string): string {
  return createHmac('sha256', secret).update(`trapline set-up\n${expires}`).digest('base64url');
}
