import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants } from '../episode.ts';
import { isLibrary } from '../state/library-name.ts';
import type { FleetGroup } from './fleet-groups.ts';
import {
  type FleetFinding,
  type FleetMovement,
  type FleetThresholds,
  type HostPlace,
  judgeFleet,
} from './judge-fleet.ts';

/** A crash that is evidence of a campaign. */
export interface CampaignCrash {
  readonly hostname: string;
  /** GNU build id; null if unknown. */
  readonly build: string | null;
  readonly offset: number;
  readonly time: Instant;
}

export interface Campaign {
  readonly movement: FleetMovement;
  /** Ordered by time. */
  readonly crashes: readonly CampaignCrash[];
  /**
   * Number (from 1) of the latest crash of the group at which the rule fired. Later judgements of a growing group have
   * a higher number.
   */
  readonly reached: number;
}

/**
 * Maximum number of builds of a group that are distinguished, in order of their first crash. Crashes of further builds
 * count as if their build were unknown.
 */
const MAX_BUILDS = 8;

/** Up to this number of crashes, the group is judged after each crash. Beyond it, after each growth by a sixteenth. */
const JUDGED_EACH = 64;

/**
 * Judges the group as it grew, in the order of event time. A campaign that was found once stays found when later
 * crashes dilute it. A service that judges stored events periodically therefore finds the same campaigns as an analysis
 * of the finished sequence.
 */
export function replayGroup(group: FleetGroup, thresholds: FleetThresholds): Campaign | undefined {
  const crashes = crashesOf(group);
  const { minHosts, minPlaces, minRun } = thresholds;
  if (new Set(crashes.map(({ hostname }) => hostname)).size < minHosts) return undefined;
  const counted = new Map<string, CountedPlace>();
  const builds = new Set<string>();
  const evidence = new Set<string>();
  let movement: FleetMovement | undefined;
  let reached = 0;
  let next = Math.min(minPlaces, minRun);
  for (const [i, { hostname, build, offset }] of crashes.entries()) {
    if (build !== null) builds.add(build);
    const key = `${placeKey(build, offset)} ${hostname}`;
    const place = counted.get(key) ?? { hostname, build, offset, crashes: 0 };
    place.crashes += 1;
    counted.set(key, place);
    if (i + 1 < next) continue;
    next = i + 1 + (i < JUDGED_EACH ? 1 : Math.ceil((i + 1) / 16));
    for (const { build: judged, finding } of judgeBuilds([...counted.values()], builds, group, thresholds)) {
      movement ??= finding.movement;
      reached = i + 1;
      for (const found of finding.offsets) evidence.add(placeKey(judged, found));
    }
  }
  if (movement === undefined) return undefined;
  const isEvidence = ({ build, offset }: CampaignCrash): boolean =>
    [build, ...(build === null ? builds : [null])].some((one) => evidence.has(placeKey(one, offset)));
  return { movement, crashes: crashes.slice(0, reached).filter(isEvidence), reached };
}

interface CountedPlace extends HostPlace {
  readonly build: string | null;
  crashes: number;
}

function placeKey(build: string | null, offset: number): string {
  return `${build ?? ''} ${offset}`;
}

/**
 * Judges each build separately, because offsets are comparable only within one build. A crash with an unknown build
 * counts for every build: detectors that read only the log report no build.
 */
function judgeBuilds(
  places: readonly CountedPlace[],
  builds: ReadonlySet<string>,
  { file }: FleetGroup,
  thresholds: FleetThresholds,
): { readonly build: string | null; readonly finding: FleetFinding }[] {
  return (builds.size === 0 ? [null] : [...builds]).flatMap((build) => {
    const own = places.filter((place) => place.build === build || place.build === null);
    const finding = judgeFleet(own, thresholds, isLibrary(file));
    return finding === undefined ? [] : [{ build, finding }];
  });
}

function crashesOf({ places }: FleetGroup): CampaignCrash[] {
  const crashes = [...places.values()]
    .flatMap(({ hostname, build, offset, crashes }) => crashes.map(({ time }) => ({ hostname, build, offset, time })))
    .sort(
      (a, b) =>
        compareInstants(a.time, b.time) ||
        compareText(a.hostname, b.hostname) ||
        a.offset - b.offset ||
        compareText(a.build ?? '', b.build ?? ''),
    );
  const builds = new Set<string>();
  return crashes.map((crash) => {
    if (crash.build !== null && builds.size < MAX_BUILDS) builds.add(crash.build);
    return crash.build === null || builds.has(crash.build) ? crash : { ...crash, build: null };
  });
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
