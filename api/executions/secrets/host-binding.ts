/** A host that a secret may be sent to: a name or an address in lower case, with a port where only that one is meant. */
export type BoundHost = string;

const PATTERN = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::[0-9]{1,5})?$/;

/** A host as it is stored: in the spelling that URLs give it. Undefined for other text. */
export function readHost(text: string): BoundHost | undefined {
  const host = text.toLowerCase();
  if (!PATTERN.test(host)) return undefined;
  const port = /:\d{1,5}$/.exec(host)?.[0] ?? '';
  const name = canonicalName(host.slice(0, host.length - port.length));
  return name === undefined ? undefined : name + port;
}

/** One spelling of a name or address, as in URLs: `[2001:db8:0::1]` is `[2001:db8::1]`, and `127.1` is `127.0.0.1`. Undefined for text that is neither. */
function canonicalName(name: string): string | undefined {
  return URL.parse(`http://${name}/`)?.hostname;
}

/** True when a secret that is bound to `hosts` may be sent there. Null: it is not bound. `host`: as in a URL or without brackets. */
export function maySendTo(
  hosts: readonly BoundHost[] | null,
  { host, port }: { readonly host: string; readonly port: number },
): boolean {
  if (hosts === null) return true;
  const bare = host.toLowerCase().replace(/\.$/, '');
  const name = canonicalName(bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare);
  // A host that was stored before spellings were made equal can have another one.
  return hosts.some((bound) => {
    const known = readHost(bound);
    return name !== undefined && (known === name || known === `${name}:${port}`);
  });
}

/** Where a request to an address goes; undefined for text that is no address of http or https. */
export function destinationOf(address: string): { readonly host: string; readonly port: number } | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  return { host: url.hostname, port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)) };
}

/** The same for an address. A bound secret may not be sent to text that is not an address, such as `installation` for the model of the installation. */
export function maySendToAddress(hosts: readonly BoundHost[] | null, address: string): boolean {
  const destination = destinationOf(address);
  return hosts === null || (destination !== undefined && maySendTo(hosts, destination));
}
