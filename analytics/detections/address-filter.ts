/** Bits of the filter per value. About one in sixteen addresses that are not in the set passes the filter. */
const BITS_PER_VALUE = 16;

/** Filters by set. Only full sets have one, because they no longer change. */
const filters = new WeakMap<ReadonlySet<string>, Uint8Array>();

/** The filter used last. Consecutive events of one probe use the same filter. */
let latest: { readonly values: ReadonlySet<string>; readonly filter: Uint8Array } | undefined;

/**
 * Returns false if `address` is certainly not in `values`, and true if it may be. `values` are addresses as strings and
 * must not change any more. The check uses a filter of numbers, so the caller need not format the address as a string.
 */
export function mayHold(values: ReadonlySet<string>, address: number): boolean {
  if (latest?.values !== values) latest = { values, filter: filterOf(values) };
  const { filter } = latest;
  const bit = bitOf(address, filter);
  return ((filter[bit >>> 3] as number) & (1 << (bit & 7))) !== 0;
}

function filterOf(values: ReadonlySet<string>): Uint8Array {
  let filter = filters.get(values);
  if (filter === undefined) {
    filter = newFilter(values);
    filters.set(values, filter);
  }
  return filter;
}

function newFilter(values: ReadonlySet<string>): Uint8Array {
  const filter = new Uint8Array(2 ** Math.ceil(Math.log2(values.size * BITS_PER_VALUE)) / 8);
  for (const value of values) {
    const bit = bitOf(Number(value), filter);
    filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7));
  }
  return filter;
}

/**
 * Index of the filter bit of an address, below 2^32. Values too large for a double also set a bit, but no address is
 * compared with them.
 */
function bitOf(address: number, { length }: Uint8Array): number {
  let hash = Math.imul((address | 0) ^ Math.imul(Math.floor(address / 2 ** 32), 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) & (length * 8 - 1);
}
