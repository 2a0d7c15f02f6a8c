/** Base for parsing; only its origin is compared, no request goes there. */
const PLACEHOLDER = 'http://here.invalid';
const MAX_CHARACTERS = 1_024;
/** Addresses that begin a sign-in or end a session: returning to one of them would loop. */
const SIGN_IN_ADDRESS = /^\/(?:sign-in|register|forgot-password|auth|api\/auth)(?:\/|$)/;
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * The path on this site that a sign-in returns to, in the form in which a browser reads it; undefined if the address can lead to another
 * site or back to a sign-in. An absolute URL is reduced to its path when it belongs to `ownOrigin`.
 *
 * Browsers remove tabs and line ends, read `\` as `/` and take `//x` for a host, and what stands between may decode a path again. So the
 * result of a URL parser is checked, at every level of percent-encoding, and not the text.
 */
export function localPath(wanted: string, ownOrigin?: string): string | undefined {
  if (wanted.length > MAX_CHARACTERS || CONTROL_CHARACTER.test(wanted) || wanted.includes('\\')) return undefined;
  const path = wanted.startsWith('/') ? wanted : pathOfOwn(wanted, ownOrigin);
  const url = path === undefined ? undefined : parsed(path);
  if (url === undefined || !staysHere(url.pathname)) return undefined;
  return url.pathname + url.search + url.hash;
}

/** Checks a path at every level of percent-encoding. Each level is at least two characters shorter, so this ends. */
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
  // `/.//x` has our origin until its dots are resolved; then `//x` is a host for the next reader.
  return url === null || url.origin !== PLACEHOLDER || url.pathname.startsWith('//') ? undefined : url;
}

function pathOfOwn(wanted: string, ownOrigin: string | undefined): string | undefined {
  const url = URL.parse(wanted);
  if (url === null || url.origin !== ownOrigin || url.username !== '' || url.password !== '') return undefined;
  return url.pathname + url.search + url.hash;
}

/** Decodes the ASCII part and keeps what is malformed, as a lenient reader does. */
function decodeAscii(text: string): string {
  return text.replace(/%([0-7][\da-f])/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
