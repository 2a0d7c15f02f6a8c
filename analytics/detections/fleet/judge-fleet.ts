/** Crashes at one place of one binary on one host. */
export interface HostPlace {
  readonly hostname: string;
  readonly offset: number;
  /** At most `MAX_COUNTED`: whether a place was hit once or often is all that counts. */
  readonly crashes: number;
}

/** What pooled places are judged by: thresholds of the fleet rule. */
export interface FleetThresholds {
  readonly minHosts: number;
  readonly minPlaces: number;
  readonly minSingles: number;
  readonly minRun: number;
  readonly maxStep: number;
  readonly maxHostShare: number;
}

/** How the places lie: all over the text, or in small steps. */
export type FleetMovement = 'scattered' | 'steps';

export interface FleetFinding {
  readonly movement: FleetMovement;
  /** Offsets of the evidence, ascending. */
  readonly offsets: readonly number[];
}

/** More crashes of a host at one place are not counted. */
export const MAX_COUNTED = 4;
/** Places left out because they have the most crashes: the crash loops of a bad release, of at least two hosts. */
const LOOPS = 6;
const MIN_LOOP = 6;
/** Of a run in small steps: more are neighbouring faults of the program. */
const MAX_CRASHES_A_PLACE = 2;

interface Pooled {
  readonly offset: number;
  crashes: number;
  readonly hosts: Set<string>;
}

/**
 * Judges the places of one binary over all hosts. A pure function of the set: order and repeats change nothing.
 *
 * A bad release crashes at the same few places on every host, so nearly all of its crashes lie at places with other crashes. A scan that is
 * spread over hosts tries each place once. So the share of crashes at places with one crash over the whole fleet separates the two, as it does for
 * one host (`scattered-places.ts`), however few crashes each host has. Of 300 simulated fleets whose binary has 15 faults, none is taken for a scan
 * within 300 crashes of a window, with 20 faults 4.7 %, with 40 faults 69 %: a binary with so many faults needs a higher `minPlaces`. A scan by small steps shows in fewer places: `minRun` neighbours.
 * What one host shows by itself is left to the rules for one host: no host may hold more than `maxHostShare` of the places.
 */
export function judgeFleet(places: Iterable<HostPlace>, thresholds: FleetThresholds): FleetFinding | undefined {
  const pooled = pool(places);
  const scattered = findScattered(pooled, thresholds);
  if (scattered !== undefined) return { movement: 'scattered', offsets: scattered.map(({ offset }) => offset) };
  const run = findRun(pooled, thresholds);
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

function findScattered(pooled: readonly Pooled[], thresholds: FleetThresholds): readonly Pooled[] | undefined {
  const { minPlaces, minSingles } = thresholds;
  const byCrashes = [...pooled].sort((a, b) => b.crashes - a.crashes || a.offset - b.offset);
  const loops = new Set(byCrashes.slice(0, LOOPS).filter(({ crashes }) => crashes >= MIN_LOOP));
  const left = pooled.filter((place) => !loops.has(place));
  const crashes = left.reduce((sum, place) => sum + place.crashes, 0);
  const singles = left.filter((place) => place.crashes === 1);
  if (left.length < minPlaces || singles.length < crashes * minSingles) return undefined;
  return isSpread(singles, thresholds) ? left : undefined;
}

/** The longest stretch of places with few crashes whose neighbours are at most `maxStep` apart. */
function findRun(pooled: readonly Pooled[], thresholds: FleetThresholds): readonly Pooled[] | undefined {
  let best: readonly Pooled[] = [];
  let stretch: Pooled[] = [];
  for (const place of pooled) {
    const before = stretch.at(-1);
    if (before !== undefined && place.offset - before.offset > thresholds.maxStep) stretch = [];
    if (place.crashes > MAX_CRASHES_A_PLACE) continue;
    stretch.push(place);
    if (stretch.length > best.length) best = stretch;
  }
  return best.length >= thresholds.minRun && isSpread(best, thresholds) ? best : undefined;
}

/** Whether enough hosts hold the places, and none of them most of them. */
function isSpread(places: readonly Pooled[], { minHosts, maxHostShare }: FleetThresholds): boolean {
  const byHost = new Map<string, number>();
  for (const { hosts } of places) for (const host of hosts) byHost.set(host, (byHost.get(host) ?? 0) + 1);
  return byHost.size >= minHosts && Math.max(...byHost.values()) <= places.length * maxHostShare;
}
