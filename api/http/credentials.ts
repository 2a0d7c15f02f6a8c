import type { IncomingHttpHeaders } from 'node:http';

/** Returns the key of a request: `x-api-key`, otherwise `Authorization: Bearer`. */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string') return key;
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

/**
 * Returns the session cookie of a request. Only the configured name is accepted. With https this name has a prefix that
 * neighbouring hosts cannot set; a cookie with the plain name could come from another site.
 */
export function presentedSession(cookie: string | undefined, name: string): string | undefined {
  return cookie === undefined ? undefined : new Map(cookie.split(';').map((pair) => pairOf(pair))).get(name);
}

function pairOf(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
