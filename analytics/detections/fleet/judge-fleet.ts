/** Crashes at one place of one binary on one host. */
export interface HostPlace {
  readonly hostname: string;
  readonly offset: number;
  /** At most `MAX_COUNTED`. The rule only distinguishes places hit once from places hit several times. */
  readonly crashes: number;
}

/** Thresholds of the fleet rule. */
export interface FleetThresholds {
  readonly minHosts: number;
  readonly minPlaces: number;
  readonly minSingles: number;
  readonly minRun: number;
  readonly maxStep: number;
  readonly maxHostShare: number;
}

/** Distribution of the places: over the whole text, or in small steps. */
export type FleetMovement = 'scattered' | 'steps';

export interface FleetFinding {
  readonly movement: FleetMovement;
  /** Offsets of the evidence, ascending. */
  readonly offsets: readonly number[];
}

/** Maximum number of crashes counted per host and place. */
export const MAX_COUNTED = 4;
/**
 * Number of places that are excluded as crash loops of a bad release: those with the most crashes, if they have at
 * least `MIN_LOOP`.
 */
const LOOPS = 6;
const MIN_LOOP = 6;

interface Pooled {
  readonly offset: number;
  crashes: number;
  readonly hosts: Set<string>;
}

/**
 * Judges the places of one binary over all hosts. A pure function of the set: order does not matter.
 *
 * A bad release crashes at the same few places on every host, so nearly all of its crashes lie at places with other
 * crashes. A scan that is distributed over hosts tries each place once. The share of crashes at places with one crash
 * in the whole fleet therefore separates the two, even with few crashes per host. The rule for one host uses the same
 * share (`scattered-places.ts`). A scan in small steps is recognised with fewer places: `minRun` neighbours. The places
 * of a library do not count as steps (`inLibrary`), because a failing copy stops at neighbouring instructions. No host
 * may hold more than `maxHostShare` of the places, because the rules for single hosts judge those. Base rates:
 * `docs/concepts/fleet-scan.md`.
 */
export function judgeFleet(
  places: Iterable<HostPlace>,
  thresholds: FleetThresholds,
  inLibrary = false,
): FleetFinding | undefined {
  const pooled = withoutLoops(pool(places));
  const scattered = findScattered(pooled, thresholds);
  if (scattered !== undefined) return { movement: 'scattered', offsets: scattered.map(({ offset }) => offset) };
  const run = inLibrary ? undefined : findRun(pooled, thresholds);
  return run === undefined ? undefined : { movement: 'steps', offsets: run.map(({ offset }) => offset) };
}

function pool(places: Iterable<HostPlace>): Pooled[] {
  const byOffset = new Map<number, Pooled>();
  for (const { hostname, offset, crashes } of places) {
    const place = byOffset.get(offset) ?? { offset, crashes: 0, hosts: new Set<string>() };
    byOffset.set(offset, place);
    place.crashes += crashes;
    place.hosts.add(hostname);
  }
  return [...byOffset.values()].sort((a, b) => a.offset - b.offset);
}

function withoutLoops(pooled: readonly Pooled[]): readonly Pooled[] {
  const byCrashes = [...pooled].sort((a, b) => b.crashes - a.crashes || a.offset - b.offset);
  const loops = new Set(byCrashes.slice(0, LOOPS).filter(({ crashes }) => crashes >= MIN_LOOP));
  return pooled.filter((place) => !loops.has(place));
}

function findScattered(places: readonly Pooled[], thresholds: FleetThresholds): readonly Pooled[] | undefined {
  if (places.length < thresholds.minPlaces) return undefined;
  return hasSingles(places, 1, thresholds) ? places : undefined;
}

/** Returns the longest run of places whose neighbours are at most `maxStep` apart. */
function findRun(places: readonly Pooled[], thresholds: FleetThresholds): readonly Pooled[] | undefined {
  let best: readonly Pooled[] = [];
  let stretch: Pooled[] = [];
  for (const place of places) {
    const before = stretch.at(-1);
    if (before !== undefined && place.offset - before.offset > thresholds.maxStep) stretch = [];
    stretch.push(place);
    if (stretch.length > best.length) best = stretch;
  }
  return hasSingles(best, thresholds.minRun, thresholds) ? best : undefined;
}

/**
 * Returns true if at least `least` of the places have one crash, and these places have a large enough share of all
 * crashes. No host may have most of these places.
 */
function hasSingles(places: readonly Pooled[], least: number, thresholds: FleetThresholds): boolean {
  const singles = places.filter(({ crashes }) => crashes === 1);
  const crashes = places.reduce((sum, place) => sum + place.crashes, 0);
  if (singles.length < least || singles.length < crashes * thresholds.minSingles) return false;
  return isSpread(singles, thresholds);
}

/** Returns true if enough hosts have the places, and no host has most of them. */
function isSpread(places: readonly Pooled[], { minHosts, maxHostShare }: FleetThresholds): boolean {
  const byHost = new Map<string, number>();
  for (const { hosts } of places) for (const host of hosts) byHost.set(host, (byHost.get(host) ?? 0) + 1);
  return byHost.size >= minHosts && Math.max(...byHost.values()) <= places.length * maxHostShare;
}
