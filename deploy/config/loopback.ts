import { BlockList, isIPv6 } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Returns true if a bound address can be reached only from this machine. Takes an IP address, not a name. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
