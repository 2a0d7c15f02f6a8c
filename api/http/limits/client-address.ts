import { isIP, isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The client's address: of the connection, or by `X-Forwarded-For` when a trusted proxy holds the connection. */
export type ClientAddress = (connection: string | undefined, forwardedFor?: string) => string;

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Stands for a connection that is closed already: no client has this address. */
const NO_ADDRESS = '0.0.0.0';
const MAPPED_BITS = 96;
/** Answers that are remembered, and the longest question: how long the header is is the client's choice. */
const REMEMBERED = 5_000;
const REMEMBERED_CHARACTERS = 100;

/**
 * The header is read from its right end, which our own proxies wrote: the client is the first address there that is not one of
 * theirs. The client may have written everything left of it. An entry that is not an address ends the reading as well: the proxy that
 * reported it is the last one that is known.
 *
 * Addresses come in one form each: IPv4-mapped ones unwrapped, IPv6 by RFC 5952, without a zone.
 *
 * @param trustedProxies addresses or networks, such as `10.0.0.0/8`; none: the header is not read at all
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const networks = trustedProxies.map(parseNetwork);
  const isTrusted = (address: Address) => isOneOf(networks, address);

  /** Clients ask more than once, and reading an address costs as much as counting it. */
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
    // Reads no further than needed: the client chooses the length of the header.
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

/** Whether a connection is held by one of these proxies, and so stands for many clients. */
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

/** Strict: `010.1`, `0x7f.1` and the like are addresses to ipaddr.js alone. */
function parseAddress(text: string): Address | undefined {
  const zone = text.indexOf('%');
  const address = zone === -1 ? text : text.slice(0, zone);
  return isIP(address) === 0 ? undefined : ipaddr.process(address);
}

/** Some proxies write `192.0.2.7:4711` or `[2001:db8::7]:4711`. */
function withoutPort(entry: string): string {
  return /^(?:\[(?<v6>[\da-f:.%]+)\]|(?<v4>[\d.]+))(?::\d{1,5})?$/i.exec(entry)?.slice(1).find(Boolean) ?? entry;
}

function parseNetwork(text: string): Network {
  const [address = '', bits] = text.split('/');
  const parsed = ipaddr.parse(address);
  const all = parsed.kind() === 'ipv4' ? 32 : 128;
  const given = bits === undefined ? all : Number(bits);
  // Peers are unwrapped before they are compared, so networks are as well.
  if (parsed.kind() === 'ipv6' && (parsed as ipaddr.IPv6).isIPv4MappedAddress() && given >= MAPPED_BITS) {
    return [(parsed as ipaddr.IPv6).toIPv4Address(), given - MAPPED_BITS];
  }
  return [parsed, given];
}
