/** Base URL for parsing. Only its origin is compared; no request is sent to it. */
const PLACEHOLDER = 'http://here.invalid';
const MAX_CHARACTERS = 1_024;
/** Paths that start a sign-in or end a session. Returning to them would cause a loop. */
const SIGN_IN_ADDRESS = /^\/(?:sign-in|register|forgot-password|auth|api\/auth)(?:\/|$)/;
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Returns the path on this site to which a sign-in returns, in the form in which a browser resolves it. Returns
 * undefined if the address can lead to another site or back to a sign-in. An absolute URL is reduced to its path if its
 * origin is `ownOrigin`.
 *
 * Browsers remove tabs and line ends, read `\` as `/` and take `//x` for a host. Proxies may decode a path again.
 * Therefore the check applies to the output of a URL parser at every level of percent-encoding, not to the text.
 */
export function localPath(wanted: string, ownOrigin?: string): string | undefined {
  if (wanted.length > MAX_CHARACTERS || CONTROL_CHARACTER.test(wanted) || wanted.includes('\\')) return undefined;
  const path = wanted.startsWith('/') ? wanted : pathOfOwn(wanted, ownOrigin);
  const url = path === undefined ? undefined : parsed(path);
  if (url === undefined || !staysHere(url.pathname)) return undefined;
  return url.pathname + url.search + url.hash;
}

/**
 * Checks a path at every level of percent-encoding. Each level is at least two characters shorter, so the loop ends.
 */
function staysHere(pathname: string): boolean {
  let level = pathname;
  for (;;) {
    if (CONTROL_CHARACTER.test(level) || level.includes('\\')) return false;
    const path = parsed(level)?.pathname;
    if (path === undefined || SIGN_IN_ADDRESS.test(path.toLowerCase())) return false;
    const next = decodeAscii(level);
    if (next === level) return true;
    level = next;
  }
}

function parsed(path: string): URL | undefined {
  const url = URL.parse(path, PLACEHOLDER);
  // `/.//x` has our origin until its dots are resolved. It is then `//x`, which the next parser takes for a host.
  return url === null || url.origin !== PLACEHOLDER || url.pathname.startsWith('//') ? undefined : url;
}

function pathOfOwn(wanted: string, ownOrigin: string | undefined): string | undefined {
  const url = URL.parse(wanted);
  if (url === null || url.origin !== ownOrigin || url.username !== '' || url.password !== '') return undefined;
  return url.pathname + url.search + url.hash;
}

/** Decodes percent-encoded ASCII characters and keeps malformed sequences, as a lenient parser does. */
function decodeAscii(text: string): string {
  return text.replace(/%([0-7][\da-f])/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
