import { createHmac, timingSafeEqual } from 'node:crypto';

export const SET_UP_MINUTES = 30;

/**
 * Returns the token of a set-up link: its expiry, and an HMAC-SHA-256 of the expiry with the newest of `secrets`
 * (AUTH_SECRET). Nothing is stored: the token is valid only while no administrator exists, so the account that it
 * creates invalidates it.
 */
export function setUpToken(secrets: readonly string[], now: Date): string {
  const expires = String(Math.floor(now.getTime() / 1000) + SET_UP_MINUTES * 60);
  return `${expires}.${signature(secrets[0] ?? '', expires)}`;
}

/** True for an unexpired token of one of the secrets. */
export function isSetUpToken(secrets: readonly string[], token: string, now: Date): boolean {
  const [, expires, signed = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
  if (expires === undefined || Number(expires) * 1000 <= now.getTime()) return false;
  const given = Buffer.from(signed);
  return secrets.some((secret) => timingSafeEqual(given, Buffer.from(signature(secret, expires))));
}

function signature(secret: string, expires: string): string {
  return createHmac('sha256', secret).update(`trapline set-up\n${expires}`).digest('base64url');
}
