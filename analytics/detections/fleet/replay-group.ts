import type { Instant } from '#schemas/events/accepted.ts';
import { compareInstants } from '../episode.ts';
import { isLibrary } from '../state/library-name.ts';
import type { FleetGroup } from './fleet-groups.ts';
import { type FleetMovement, type FleetThresholds, judgeFleet } from './judge-fleet.ts';

/** A crash that is evidence of a campaign. */
export interface CampaignCrash {
  readonly hostname: string;
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
  const counted = new Map<string, { readonly hostname: string; readonly offset: number; crashes: number }>();
  const evidence = new Set<number>();
  let movement: FleetMovement | undefined;
  let reached = 0;
  let next = Math.min(minPlaces, minRun);
  for (const [i, { hostname, offset }] of crashes.entries()) {
    const key = `${offset} ${hostname}`;
    const place = counted.get(key) ?? { hostname, offset, crashes: 0 };
    place.crashes += 1;
    counted.set(key, place);
    if (i + 1 < next) continue;
    next = i + 1 + (i < JUDGED_EACH ? 1 : Math.ceil((i + 1) / 16));
    const finding = judgeFleet(counted.values(), thresholds, isLibrary(group.file));
    if (finding === undefined) continue;
    movement ??= finding.movement;
    reached = i + 1;
    for (const found of finding.offsets) evidence.add(found);
  }
  if (movement === undefined) return undefined;
  return { movement, crashes: crashes.slice(0, reached).filter(({ offset }) => evidence.has(offset)), reached };
}

function crashesOf({ places }: FleetGroup): CampaignCrash[] {
  const crashes = [...places.values()].flatMap(({ hostname, offset, crashes }) =>
    crashes.map(({ time }) => ({ hostname, offset, time })),
  );
  return crashes.sort(
    (a, b) =>
      compareInstants(a.time, b.time) ||
      (a.hostname < b.hostname ? -1 : a.hostname > b.hostname ? 1 : 0) ||
      a.offset - b.offset,
  );
}
