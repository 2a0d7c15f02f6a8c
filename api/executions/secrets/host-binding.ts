/** A host that a secret may be sent to: a name or an address in lower case, with a port where only that one is meant. */
export type BoundHost = string;

const PATTERN = /^(?:\[[0-9a-f:.]+\]|[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?)(?::[0-9]{1,5})?$/;

/** A host as it is stored; undefined for other text. */
export function readHost(text: string): BoundHost | undefined {
  const host = text.toLowerCase();
  return PATTERN.test(host) ? host : undefined;
}

/** True when a secret that is bound to `hosts` may be sent there. Null: it is not bound. `host`: as in a URL or without brackets. */
export function maySendTo(
  hosts: readonly BoundHost[] | null,
  { host, port }: { readonly host: string; readonly port: number },
): boolean {
  if (hosts === null) return true;
  const bare = host.toLowerCase().replace(/\.$/, '');
  const name = bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare;
  return hosts.includes(name) || hosts.includes(`${name}:${port}`);
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
