import ipaddr from 'ipaddr.js';
import { parseAddress } from './address.ts';

/** Destinations that the operator permits although they are not public. */
export interface AllowList {
  /** True if the list contains this name or address with this port. */
  endpoint(host: string, port: number): boolean;
  /** True if the address belongs to a network of the list. */
  network(address: string): boolean;
}

const HOST_AND_PORT = /^(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:/]+)):(?<port>\d{1,5})$/;

/** Parses entries such as `10.0.0.0/8`, `192.0.2.7`, `mirror.internal:8443`, `[fd00::1]:8080`. Throws for an invalid entry. */
export function createAllowList(entries: readonly string[]): AllowList {
  const networks: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [];
  const endpoints = new Set<string>();
  for (const entry of entries) {
    const { ipv6, host = ipv6, port } = HOST_AND_PORT.exec(entry)?.groups ?? {};
    if (host !== undefined) endpoints.add(endpointKey(host, Number(port)));
    else networks.push(ipaddr.parseCIDR(entry.includes('/') ? entry : `${entry}/${entry.includes(':') ? 128 : 32}`));
  }
  return {
    endpoint: (host, port) => endpoints.has(endpointKey(host, port)),
    network: (text) => {
      const address = parseAddress(text);
      return address !== undefined && networks.some((network) => liesIn(address, network));
    },
  };
}

function liesIn(address: ipaddr.IPv4 | ipaddr.IPv6, network: [ipaddr.IPv4 | ipaddr.IPv6, number]): boolean {
  return address.kind() === network[0].kind() && address.match(network);
}

/** Normalises names (case, trailing dot) and spellings of addresses. */
function endpointKey(host: string, port: number): string {
  return `${parseAddress(host)?.toString() ?? host.toLowerCase().replace(/\.$/, '')}:${port}`;
}
