import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Prefix length of IPv6 networks. One customer controls all 2^64 addresses of a /64 network. */
const CUSTOMER_BITS = 64;

/**
 * Returns what counts as one address in limits: an IPv4 address, or the network of an IPv6 address such as
 * `2001:db8:0:7::/64`.
 */
export function addressGroup(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.map((part, index) => (index < CUSTOMER_BITS / 16 ? part : 0));
  return `${new ipaddr.IPv6(network).toRFC5952String()}/${CUSTOMER_BITS}`;
}
