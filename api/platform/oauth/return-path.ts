/** Only its own origin is compared with; nobody is ever sent there. */
const HERE = 'http://here.invalid';
const MAX_CHARACTERS = 1_024;

/**
 * The path to go on to after a sign-in, as a browser will read it; undefined when it might lead to another site. Browsers drop tabs
 * and line ends, read `\` as `/`, and take `//x` for a host, so the text is not judged but what a URL parser makes of it.
 */
export function localPath(wanted: string): string | undefined {
  if (!wanted.startsWith('/') || wanted.length > MAX_CHARACTERS || !URL.canParse(wanted, HERE)) return undefined;
  const url = new URL(wanted, HERE);
  // `/.//x` is on our side until its dots are resolved: then `//x` would be a host to whoever reads it next.
  if (url.origin !== HERE || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}
