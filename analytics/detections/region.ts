import { mayHold } from './address-filter.ts';
import { addValue, type Episode } from './episode.ts';
import { type Address, toHexadecimal } from './state/address.ts';

/**
 * Where an episode's evidence lies, flat in `Episode.regions`: space, lowest and highest offset, and the base address (space,
 * offset) by which offsets are shown. With address randomisation the base stays that of the first crashes, so that the steps
 * between the shown values are those of the probe.
 */
export const REGION = 5;
/** More scattered runs are crashes of the program like any other. */
const MAX_REGIONS = 8;

/** Whether the episode may hold one more region: their number is bounded. */
export function hasRoomForRegion(episode: Episode): boolean {
  return episode.regions.length < MAX_REGIONS * REGION;
}

/** Returns the region's place in the array. */
export function addRegion(episode: Episode, space: number, low: number, high: number, base: Address): number {
  episode.regions.push(space, low, high, base.space, base.offset);
  return episode.regions.length - REGION;
}

/** The region to which (space, offset) belongs, at most `reach` outside of it and widened to hold it; undefined when none does. */
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

/** Whether (space, offset) lies in a region of the episode. */
export function holdsRegion({ regions }: Episode, space: number, offset: number): boolean {
  for (let i = 0; i < regions.length; i += REGION)
    if (regions[i] === space && offset >= (regions[i + 1] as number) && offset <= (regions[i + 2] as number))
      return true;
  return false;
}

/** Notes an offset of a region as an evidence value of the episode: the address that is shown. */
export function addAddress(episode: Episode, region: number, offset: number, maxValues: number): void {
  // Of a long scan nearly every address is new: then its text is not needed.
  if (episode.values.size >= maxValues && episode.regions[region + 3] === 0) {
    const address = (episode.regions[region + 4] as number) + offset;
    if (Number.isSafeInteger(address) && !mayHold(episode.values, address)) {
      episode.valuesBeyond += 1;
      return;
    }
  }
  addValue(episode, shownAddress(episode, region, offset), maxValues);
}

/** An offset of a region as the address that is shown. */
export function shownAddress(episode: Episode, region: number, offset: number): string {
  const base = { space: episode.regions[region + 3] as number, offset: episode.regions[region + 4] as number };
  return toHexadecimal(base, offset);
}
