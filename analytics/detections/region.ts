import { mayHold } from './address-filter.ts';
import { addValue, type Episode } from './episode.ts';
import { type Address, toHexadecimal } from './state/address.ts';

/**
 * Numbers per region in `Episode.regions`: space, lowest and highest offset, and the base address (space, offset) with
 * which offsets are displayed. With address randomisation, the base stays that of the first crashes. The steps between
 * the displayed values are then those of the probe.
 */
export const REGION = 5;
/** Maximum number of regions per episode. Runs beyond it count as ordinary crashes of the program. */
const MAX_REGIONS = 8;

/** Returns true if the episode has room for another region. */
export function hasRoomForRegion(episode: Episode): boolean {
  return episode.regions.length < MAX_REGIONS * REGION;
}

/** Appends a region. Returns its index in the array. */
export function addRegion(episode: Episode, space: number, low: number, high: number, base: Address): number {
  episode.regions.push(space, low, high, base.space, base.offset);
  return episode.regions.length - REGION;
}

/**
 * Returns the index of the region that contains (space, offset) or is at most `reach` away from it. Extends the region
 * to contain the offset. Returns undefined if none exists.
 */
export function joinRegion(episode: Episode, space: number, offset: number, reach: number): number | undefined {
  const { regions } = episode;
  for (let i = 0; i < regions.length; i += REGION) {
    const low = regions[i + 1] as number;
    const high = regions[i + 2] as number;
    if (regions[i] !== space || offset < low - reach || offset > high + reach) continue;
    if (offset < low) regions[i + 1] = offset;
    if (offset > high) regions[i + 2] = offset;
    return i;
  }
  return undefined;
}

/** Returns true if (space, offset) lies in a region of the episode. */
export function holdsRegion({ regions }: Episode, space: number, offset: number): boolean {
  for (let i = 0; i < regions.length; i += REGION)
    if (regions[i] === space && offset >= (regions[i + 1] as number) && offset <= (regions[i + 2] as number))
      return true;
  return false;
}

/** Adds the displayed address of an offset of a region to the evidence values of the episode. */
export function addAddress(episode: Episode, region: number, offset: number, maxValues: number): void {
  // In a long scan, nearly every address is new. If the set of values is full, the address need not be formatted.
  if (episode.values.size >= maxValues && episode.regions[region + 3] === 0) {
    const address = (episode.regions[region + 4] as number) + offset;
    if (Number.isSafeInteger(address) && !mayHold(episode.values, address)) {
      episode.valuesBeyond += 1;
      return;
    }
  }
  addValue(episode, shownAddress(episode, region, offset), maxValues);
}

/** Returns the displayed address of an offset of a region. */
export function shownAddress(episode: Episode, region: number, offset: number): string {
  const base = { space: episode.regions[region + 3] as number, offset: episode.regions[region + 4] as number };
  return toHexadecimal(base, offset);
}
