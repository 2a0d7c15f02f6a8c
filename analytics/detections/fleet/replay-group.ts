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
  /** GNU build id; null when unknown. */
  readonly build: string | null;
  readonly offset: number;
  readonly time: Instant;
}

export interface Campaign {
  readonly movement: FleetMovement;
  /** By time. */
  readonly crashes: readonly CampaignCrash[];
  /** Number of the latest crash of the group with which the rule fired, from 1. Later judgements of a growing group have a higher one. */
  readonly reached: number;
}

/** Builds of a group that are distinguished, by their first crash. Crashes of later ones count as if their build were unknown. */
const MAX_BUILDS = 8;

/** Up to this crash the group is judged after each crash, then after each sixteenth part more. */
const JUDGED_EACH = 64;

/**
 * Judges the group as it grew, in the order of event time. What fired stays found when later crashes dilute it, so a service that judges stored
 * events from time to time finds the same as an analysis of the finished stretch, whenever it looked.
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
 * Judges each build by itself, as its offsets mean nothing in another one. A crash whose build is unknown counts with every build: a detector
 * that reads the log only does not report any.
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
