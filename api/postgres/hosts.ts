const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/;

/**
 * Splits a connection URI into one URL per server. As in libpq, a URI may list several hosts, of which one accepts
 * writes: `postgres://user:password@a:5432,b:5432/database`. Throws `TypeError` if one of the URLs is invalid.
 */
export function hostUrls(uri: string): readonly string[] {
  const [, before = '', hosts = '', behind = ''] = PARTS.exec(uri) ?? [];
  const urls = hosts.split(',').map((host) => `${before}${host}${behind}`);
  const valid =
    before !== '' && (urls.length === 1 || !hosts.split(',').includes('')) && urls.every((url) => URL.canParse(url));
  if (!valid) throw new TypeError('must be a URL of PostgreSQL, such as postgres://user:password@host:5432/database');
  return urls;
}
