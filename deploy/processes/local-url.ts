import { isIPv6 } from 'node:net';

/** Wildcard listen addresses, with the address by which this machine connects to the server. */
const ON_ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Returns the URL by which programs of this machine or container reach a server that listens on the address. */
export function localUrl(address: string, port: number): string {
  const host = ON_ALL[address] ?? address;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
