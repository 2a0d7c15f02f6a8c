import { classifyAddress } from './address.ts';
import type { AllowList } from './allow-list.ts';
import type { Destination } from './check-url.ts';
import { OutboundFailure } from './port.ts';
import type { Resolve } from './resolve-name.ts';

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
