import type { IncomingHttpHeaders } from 'node:http';

/** Browsers take a cookie with this prefix only over https, for the whole host, from the host itself. */
export const SECURE_COOKIE = '__Host-trapline-session';
export const PLAIN_COOKIE = 'trapline-session';

/** The key of a request: `x-api-key`, else `Authorization: Bearer`. */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string') return key;
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

/** The session cookie of a request. */
export function presentedSession(cookie: string | undefined): string | undefined {
  if (cookie === undefined) return undefined;
  const cookies = new Map(cookie.split(';').map((pair) => pairOf(pair)));
  return cookies.get(SECURE_COOKIE) ?? cookies.get(PLAIN_COOKIE);
}

function pairOf(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
