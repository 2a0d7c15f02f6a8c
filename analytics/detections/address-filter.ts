/** Bits of the filter for each value: one in sixteen other addresses passes the filter. */
const BITS_PER_VALUE = 16;

/** Filters of sets that are full, and so do not change any more. */
const filters = new WeakMap<ReadonlySet<string>, Uint8Array>();

/** The filter that was asked last: events of one probe ask for the same one. */
let latest: { readonly values: ReadonlySet<string>; readonly filter: Uint8Array } | undefined;

/**
 * False when none of the values, which are addresses as text and do not change any more, is this address; true when one may be. Reads no text, so that
 * an address need not be written out.
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

/** The number of the bit of an address, below 2^32. Larger texts than a number holds have a bit too, which no address is compared with. */
function bitOf(address: number, { length }: Uint8Array): number {
  let hash = Math.imul((address | 0) ^ Math.imul(Math.floor(address / 2 ** 32), 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 13)) & (length * 8 - 1);
}
