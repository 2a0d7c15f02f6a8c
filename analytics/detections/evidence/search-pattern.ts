/** One fault of the searched instruction. */
export interface Fault {
  readonly seconds: number;
  readonly address: number;
  /** 0 when unknown. */
  readonly pid: number;
  /** Number of faults in a row at this address. */
  readonly count: number;
  /** Start of the mapping of the instruction: children of one fork parent share it. 0 when unknown. */
  readonly start: number;
}

/** How the addresses of a search lie: at equal distances, or far apart in one memory layout. */
export type SearchPattern = 'steps' | typeof APART;
export const APART = 'apart';

/** Minimum share of neighbouring addresses that are exactly one step apart. The others are gaps in the log. */
const MIN_REGULAR = 0.6;
/** Maximum share of faults at an address that was tried before. */
const MAX_REPEATED = 1 / 32;
/** Reach of a 32-bit offset, up and down: a wrong offset or length of a program leads no farther. */
const OFFSET_REACH = 2 ** 33;

/**
 * Returns the pattern of the faults if they are a search of memory: at least `minAddresses` addresses with one offset in
 * the page, hardly any of them twice. The last fault is the latest.
 *
 * - `steps`: most addresses are exactly one step of whole pages from the next. The order does not matter. Lost lines
 *   leave gaps, which are allowed. A broken pointer of a forked program has one address. With address randomisation it
 *   has one of at least 256 pages in each execution, and then neighbours have all distances. If the pages were few
 *   enough to be neighbours, addresses would come back: 16 draws from 26 pages have no repetition in one of 400 cases.
 * - `apart`: the addresses of one memory layout lie farther apart than a 32-bit offset reaches. Children of one parent
 *   have the same address in a broken pointer. Addresses that a program calculates from wrong data differ in their low
 *   bits too: with aligned data, 16 addresses have one offset in the page by chance in one of 256^15 cases. Memory
 *   that each child maps for itself has one offset, but lies within the size of the child.
 *
 * A process that handles its faults, such as a virtual machine that protects pages, has many faults; a process that dies
 * has one.
 */
export function findSearch(faults: readonly Fault[], minAddresses: number): SearchPattern | undefined {
  if (isUnrepeated(faults, minAddresses) && isRegular(faults)) return 'steps';
  const start = faults.at(-1)?.start ?? 0;
  if (start === 0) return undefined;
  const ofImage = faults.filter((fault) => fault.start === start);
  return isUnrepeated(ofImage, minAddresses) && areFarApart(ofImage) ? APART : undefined;
}

/** Returns true if there are enough addresses, hardly any of them twice, and about one process for each. */
function isUnrepeated(faults: readonly Fault[], minAddresses: number): boolean {
  if (faults.length < minAddresses) return false;
  const distinct = new Set<number>();
  let tries = 0;
  for (const { address, count } of faults) {
    distinct.add(address);
    tries += count;
  }
  if (distinct.size < minAddresses || tries - distinct.size > Math.floor(tries * MAX_REPEATED)) return false;
  const pids = faults.flatMap(({ pid }) => (pid === 0 ? [] : [pid]));
  return pids.length === 0 || new Set(pids).size * 2 > pids.length;
}

function isRegular(faults: readonly Fault[]): boolean {
  const addresses = [...new Set(faults.map(({ address }) => address))].sort((a, b) => a - b);
  const steps = new Map<number, number>();
  for (let i = 1; i < addresses.length; i += 1) {
    const step = (addresses[i] as number) - (addresses[i - 1] as number);
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  return Math.max(...steps.values()) >= (addresses.length - 1) * MIN_REGULAR;
}

/** Returns true if no group of half of the addresses lies within the reach of one wrong offset. */
function areFarApart(faults: readonly Fault[]): boolean {
  const addresses = faults.map(({ address }) => address).sort((a, b) => a - b);
  const half = Math.ceil(addresses.length / 2);
  for (let i = half - 1; i < addresses.length; i += 1)
    if ((addresses[i] as number) - (addresses[i - half + 1] as number) < OFFSET_REACH) return false;
  return true;
}
