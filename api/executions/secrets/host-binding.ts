/**
 * A host that a secret may be sent to: a name or an address in lower case, with a port where only that one is meant. Connections use TLS, unless
 * the host begins with `http://`.
 */
export type BoundHost = string;

/** Where a secret would be sent. `host`: as in a URL or without brackets. */
export interface SecretDestination {
  readonly host: string;
  readonly port: number;
  /** Whether the connection uses TLS. */
  readonly secure: boolean;
}

const WITHOUT_TLS = 'http://';
const PATTERN = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::[0-9]{1,5})?$/;

/** A host as it is stored: in the spelling that URLs give it. Undefined for other text. */
export function readHost(text: string): BoundHost | undefined {
  const lower = text.toLowerCase();
  const scheme = lower.startsWith(WITHOUT_TLS) ? WITHOUT_TLS : '';
  const host = lower.slice(scheme.length);
  if (!PATTERN.test(host)) return undefined;
  const port = /:\d{1,5}$/.exec(host)?.[0] ?? '';
  const name = canonicalName(host.slice(0, host.length - port.length));
  return name === undefined ? undefined : scheme + name + port;
}

/** One spelling of a name or address, as in URLs: `[2001:db8:0::1]` is `[2001:db8::1]`, and `127.1` is `127.0.0.1`. Undefined for text that is neither. */
function canonicalName(name: string): string | undefined {
  // Other parts of a URL: the code that connects could read them differently.
  if (/[\s/?#@\\]/.test(name)) return undefined;
  return URL.parse(`http://${name}/`)?.hostname;
}

/** True when a secret that is bound to `hosts` may be sent there. Null: it is not bound. */
export function maySendTo(hosts: readonly BoundHost[] | null, { host, port, secure }: SecretDestination): boolean {
  if (hosts === null) return true;
  const bare = host.toLowerCase().replace(/\.$/, '');
  const name = canonicalName(bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare);
  if (name === undefined) return false;
  const permitted = [name, `${name}:${port}`].flatMap((each) => [WITHOUT_TLS + each, ...(secure ? [each] : [])]);
  // A host that was stored before spellings were made equal can have another one.
  return hosts.some((bound) => permitted.includes(readHost(bound) ?? ''));
}

/** Where a request to an address goes; undefined for text that is no address of http or https. */
export function destinationOf(address: string): SecretDestination | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const secure = url.protocol === 'https:';
  return { host: url.hostname, port: Number(url.port || (secure ? 443 : 80)), secure };
}

/** The same for an address. A bound secret may not be sent to text that is not an address, such as `installation` for the model of the installation. */
export function maySendToAddress(hosts: readonly BoundHost[] | null, address: string): boolean {
  const destination = destinationOf(address);
  return hosts === null || (destination !== undefined && maySendTo(hosts, destination));
}
