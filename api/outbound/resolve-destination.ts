import { lookup } from 'node:dns/promises';
import { classifyAddress } from './address.ts';
import type { AllowList } from './allow-list.ts';
import type { Destination } from './check-url.ts';
import { OutboundFailure } from './port.ts';

/** Resolves a name to all its addresses. Rejects if it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Resolves like other programs of the machine: hosts file, then DNS. */
export const resolveBySystem: Resolve = async (name) =>
  (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address);

const MAX_ADDRESSES = 32;

/**
 * Returns the addresses to which a request may connect: all addresses of the name, each classified. If one of them is
 * neither public nor permitted, the name is refused, because a mix of both indicates an attack. Throws
 * `forbidden_address` or `unresolvable`.
 */
export async function resolveDestination(
  { host, isAddress, port }: Destination,
  resolve: Resolve,
  allow: AllowList,
): Promise<readonly string[]> {
  const addresses = isAddress ? [host] : await addressesOf(host, resolve);
  const permitted = allow.endpoint(host, port);
  return addresses.map((text) => {
    const address = classifyAddress(text);
    if (address === undefined)
      throw new OutboundFailure('unresolvable', 'the host name resolves to something that is not an address');
    if (address.isPublic || permitted || allow.network(address.text) || allow.endpoint(address.text, port))
      return address.text;
    throw new OutboundFailure('forbidden_address', `the address is not public (${address.range})`);
  });
}

async function addressesOf(name: string, resolve: Resolve): Promise<readonly string[]> {
  let found: readonly string[];
  try {
    found = await resolve(name);
  } catch (cause) {
    throw new OutboundFailure('unresolvable', 'the host name cannot be resolved', { cause });
  }
  if (found.length === 0) throw new OutboundFailure('unresolvable', 'the host name has no address');
  return found.slice(0, MAX_ADDRESSES);
}
