import type { IncomingHttpHeaders } from 'node:http';

/** The key of a request: `x-api-key`, else `Authorization: Bearer`. */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string') return key;
  return /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
}

/**
 * The session cookie of a request, by the one name it has here. Where https serves, that name can't be set by a neighbouring host; a cookie
 * of the plain name could belong to another site.
 */
export function presentedSession(cookie: string | undefined, name: string): string | undefined {
  return cookie === undefined ? undefined : new Map(cookie.split(';').map((pair) => pairOf(pair))).get(name);
}

function pairOf(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
