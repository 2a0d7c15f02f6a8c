import { isIPv6 } from 'node:net';

/** Addresses that a server listens on and that no client connects to, with the one by which this machine reaches the server. */
const ON_ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The URL by which programs of this machine, or of this container, reach a server that listens on the address. */
export function localUrl(address: string, port: number): string {
  const host = ON_ALL[address] ?? address;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
