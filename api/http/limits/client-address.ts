import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Returns the client's address: the peer of the connection, or from `X-Forwarded-For` if the peer is a trusted proxy. */
export type ClientAddress = (connection: string | undefined, forwardedFor?: string) => string;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Address of a connection that is already closed. No client has this address. */
const NO_ADDRESS = '0.0.0.0';
const MAPPED_BITS = 96;
/** Maximum number of cached results, and maximum length of a cached input. The client controls the length of the header. */
const REMEMBERED = 5_000;
const REMEMBERED_CHARACTERS = 100;

/**
 * Returns a function that determines the client's address. It parses the header from the right end, which trusted
 * proxies wrote. The client is the first address that is not a trusted proxy. The client may have forged everything to
 * the left of it. Parsing stops at an invalid entry; the proxy that added it is then the last known address.
 *
 * Addresses have one form each: IPv4-mapped addresses are unwrapped, and IPv6 follows RFC 5952, without a zone.
 *
 * @param trustedProxies addresses or networks, such as `10.0.0.0/8`. If empty, the header is ignored.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const networks = trustedProxies.map(parseNetwork);
  const isTrusted = (address: Address) => isOneOf(networks, address);

  /** Cache of results: clients send many requests, and parsing an address costs as much as counting it. */
  const known = new Map<string, string>();

  return (connection = '', forwardedFor = '') => {
    if (networks.length === 0) return isIPv4(connection) ? connection : read(connection, '');
    const question = `${connection} ${forwardedFor}`;
    if (question.length > REMEMBERED_CHARACTERS) return read(connection, forwardedFor);
    let client = known.get(question);
    if (client === undefined) {
      client = read(connection, forwardedFor);
      if (known.size >= REMEMBERED) known.clear();
      known.set(question, client);
    }
    return client;
  };

  function read(connection: string, forwardedFor: string): string {
    let nearest = parseAddress(connection);
    if (nearest === undefined) return NO_ADDRESS;
    // Parses no further than needed, because the client controls the length of the header.
    for (let end = forwardedFor.length; end > 0 && isTrusted(nearest); ) {
      const comma = forwardedFor.lastIndexOf(',', end - 1);
      const reported = parseAddress(withoutPort(forwardedFor.slice(comma + 1, end).trim()));
      if (reported === undefined) break;
      nearest = reported;
      end = comma;
    }
    return nearest.kind() === 'ipv4' ? nearest.toString() : (nearest as ipaddr.IPv6).toRFC5952String();
  }
}

/** Returns a function that is true for the address of a trusted proxy, whose connections carry requests of many clients. */
export function createProxyCheck(trustedProxies: readonly string[]): (connection: string) => boolean {
  const networks = trustedProxies.map(parseNetwork);
  return (connection) => {
    const address = parseAddress(connection);
    return address !== undefined && isOneOf(networks, address);
  };
}

function isOneOf(networks: readonly Network[], address: Address): boolean {
  return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** Strict: rejects `010.1`, `0x7f.1` and similar forms, which only ipaddr.js accepts. */
function parseAddress(text: string): Address | undefined {
  const zone = text.indexOf('%');
  const address = zone === -1 ? text : text.slice(0, zone);
  return isIP(address) === 0 ? undefined : ipaddr.process(address);
}

/** Removes the port. Some proxies write `192.0.2.7:4711` or `[2001:db8::7]:4711`. */
function withoutPort(entry: string): string {
  return /^(?:\[(?<v6>[\da-f:.%]+)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/i.exec(entry)?.slice(1).find(Boolean) ?? entry;
}

function parseNetwork(text: string): Network {
  const [address = '', bits] = text.split('/');
  const parsed = ipaddr.parse(address);
  const all = parsed.kind() === 'ipv4' ? 32 : 128;
  const given = bits === undefined ? all : Number(bits);
  // Networks are unwrapped because peer addresses are unwrapped before the comparison.
  if (parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress() && given >= MAPPED_BITS) {
    return [(parsed as ipaddr.IPv6).toIPv4Address(), given - MAPPED_BITS];
  }
  return [parsed, given];
}
