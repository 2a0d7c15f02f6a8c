import ipaddr from 'ipaddr.js';

/** An IP address and the network range that it belongs to. */
export interface ClassifiedAddress {
  /** Canonical text. An IPv4-mapped IPv6 address is written as its IPv4 address. */
  readonly text: string;
  /** Name of its range, for logs. `unicast` is the public internet. */
  readonly range: string;
  readonly isPublic: boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Addresses in public ranges that are internal: the host agent of Azure, which returns credentials of the machine. */
const INSIDE_BY_CUSTOM = new Set(['168.63.129.16']);
/** All global unicast addresses (RFC 4291, IANA). Addresses outside are no valid destinations. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64 with the well-known prefix (RFC 6052): packets go to the IPv4 address in the last 32 bits. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Classifies an address by its range (IANA's special-purpose registries, from ipaddr.js). Tunnels (6to4, Teredo) and
 * network-specific translation prefixes are not public, because the address alone does not determine their destination.
 * Undefined for an invalid address.
 */
export function classifyAddress(text: string): ClassifiedAddress | undefined {
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  if (address.kind() === 'ipv4') return classified(address, address.range());
  const ipv6 = address as ipaddr.IPv6;
  if (ipv6.match(NAT64)) {
    const { range, isPublic } = classified(lastIpv4(ipv6), lastIpv4(ipv6).range());
    return { text: ipv6.toString(), range: isPublic ? range : `nat64 ${range}`, isPublic };
  }
  const range = ipv6.range();
  return classified(ipv6, range === 'unicast' && !ipv6.match(GLOBAL_UNICAST) ? 'unassigned' : range);
}

/** Parses an address. IPv4-mapped (::ffff:a.b.c.d) and IPv4-compatible (::a.b.c.d) addresses become IPv4 addresses. */
export function parseAddress(text: string): Address | undefined {
  // ipaddr.js also accepts octal and short forms. The runtime's strict parser checks values that can be a name or an
  // address.
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  if (address.kind() === 'ipv4') return address;
  const ipv6 = address as ipaddr.IPv6;
  const high = ipv6.parts.slice(0, 5).every((part) => part === 0);
  const wrapped = high && (ipv6.parts[5] === 0xffff || (ipv6.parts[5] === 0 && ipv6.parts[6] !== 0));
  return wrapped ? lastIpv4(ipv6) : ipv6;
}

function lastIpv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12));
}

function classified(address: Address, range: string): ClassifiedAddress {
  const text = address.toString();
  return { text, range, isPublic: range === 'unicast' && !INSIDE_BY_CUSTOM.has(text) };
}
