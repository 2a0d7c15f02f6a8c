/**
 * A host that a secret may be sent to: a name or address in lower case, optionally with a port. Connections use TLS,
 * unless the host begins with `http://`.
 */
export type BoundHost = string;

/** Destination of a secret. `host`: as in a URL, or without brackets. */
export interface SecretDestination {
  readonly host: string;
  readonly port: number;
  /** True if the connection uses TLS. */
  readonly secure: boolean;
}

const WITHOUT_TLS = 'http://';
const PATTERN = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::[0-9]{1,5})?$/;

/** Returns a host in its stored form, with the normalised spelling of URLs. Returns undefined for other text. */
export function readHost(text: string): BoundHost | undefined {
  const lower = text.toLowerCase();
  const scheme = lower.startsWith(WITHOUT_TLS) ? WITHOUT_TLS : '';
  const host = lower.slice(scheme.length);
  if (!PATTERN.test(host)) return undefined;
  const port = /:\d{1,5}$/.exec(host)?.[0] ?? '';
  const name = canonicalName(host.slice(0, host.length - port.length));
  return name === undefined ? undefined : scheme + name + port;
}

/**
 * Normalises a name or address as in URLs: `[2001:db8:0::1]` becomes `[2001:db8::1]`, and `127.1` becomes `127.0.0.1`.
 * Returns undefined for other text.
 */
function canonicalName(name: string): string | undefined {
  // Rejects other parts of a URL, because the connecting code could parse them differently.
  if (/[\s/?#@\\]/.test(name)) return undefined;
  return URL.parse(`http://${name}/`)?.hostname;
}

/** True if a secret bound to `hosts` may be sent to the destination. Null means that the secret is not bound. */
export function maySendTo(hosts: readonly BoundHost[] | null, { host, port, secure }: SecretDestination): boolean {
  if (hosts === null) return true;
  const bare = host.toLowerCase().replace(/\.$/, '');
  const name = canonicalName(bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare);
  if (name === undefined) return false;
  const permitted = [name, `${name}:${port}`].flatMap((each) => [WITHOUT_TLS + each, ...(secure ? [each] : [])]);
  // Hosts stored by earlier versions may not be normalised.
  return hosts.some((bound) => permitted.includes(readHost(bound) ?? ''));
}

/** Returns the destination of a request; undefined if the text is not an HTTP or HTTPS address. */
export function destinationOf(address: string): SecretDestination | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const secure = url.protocol === 'https:';
  return { host: url.hostname, port: Number(url.port || (secure ? 443 : 80)), secure };
}

/**
 * Like `maySendTo`, for an address. A bound secret may not be sent to text that is not an address, such as
 * `installation` for the model of the installation.
 */
export function maySendToAddress(hosts: readonly BoundHost[] | null, address: string): boolean {
  const destination = destinationOf(address);
  return hosts === null || (destination !== undefined && maySendTo(hosts, destination));
}
