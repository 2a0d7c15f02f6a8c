import ipaddr from 'ipaddr.js';
import { parseAddress } from './address.ts';

/** What the operator permits although it is not public. */
export interface AllowList {
  /** True when this name or address with this port stands on the list. */
  endpoint(host: string, port: number): boolean;
  /** True when the address lies in a network of the list. */
  network(address: string): boolean;
}

const HOST_AND_PORT = /^(?:\[(?<ipv6>[^\]]+)\]|(?<host>[^:/]+)):(?<port>\d{1,5})$/;

/** Reads entries such as `10.0.0.0/8`, `192.0.2.7`, `mirror.internal:8443`, `[fd00::1]:8080`. Throws on one that is neither. */
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

/** Names are the same in either case and with a dot at the end; addresses in any spelling. */
function endpointKey(host: string, port: number): string {
  return `${parseAddress(host)?.toString() ?? host.toLowerCase().replace(/\.$/, '')}:${port}`;
}
