import type { AcceptedEvent, Instant } from '#schemas/events/accepted.ts';
import { compareInstants } from '../episode.ts';
import { type FleetPlace, fleetPlaceOf } from './fleet-place.ts';
import { MAX_COUNTED } from './judge-fleet.ts';

/** One crash at a place of a host. */
export interface GroupedCrash {
  readonly time: Instant;
  /** NaN if unknown. */
  readonly pid: number;
}

/** Crashes of one host at one place of one build. */
export interface GroupedPlace {
  readonly hostname: string;
  /** Null if unknown. */
  readonly build: string | null;
  readonly offset: number;
  /** The earliest `MAX_COUNTED`, by time. */
  readonly crashes: GroupedCrash[];
}

/** Crashes of one binary on all hosts in one window. */
export interface FleetGroup {
  readonly program: string;
  readonly file: string;
  readonly size: number;
  /** Number of the time window since the epoch. */
  readonly window: number;
  /** Process name of the earliest crash. If several have the same time, the first name in alphabetical order. */
  procname: string;
  first: Instant;
  readonly places: Map<string, GroupedPlace>;
}

/**
 * Groups crashes by binary and time window. The result depends on the set of events, not on their order or repeats,
 * until a limit is reached.
 */
export interface FleetGroups {
  feed(accepted: AcceptedEvent): void;
  groups(): Iterable<FleetGroup>;
}

/**
 * Limits of one group and of all groups. Places beyond the first limit are ignored. Beyond the second limit, the group
 * that changed least recently is dropped.
 */
const MAX_PLACES_OF_GROUP = 4_096;
const MAX_PLACES = 262_144;

/** Creates an empty set of groups with windows of `windowSeconds`. */
export function createFleetGroups(windowSeconds: number): FleetGroups {
  const groups = new Map<string, FleetGroup>();
  let places = 0;

  function groupOf({ program, procname, file, size, time }: FleetPlace): FleetGroup {
    const window = Math.floor(time.seconds / windowSeconds);
    const key = JSON.stringify([program, size, window]);
    const found = groups.get(key) ?? { program, file, size, window, procname, first: time, places: new Map() };
    groups.delete(key);
    groups.set(key, found);
    return found;
  }

  function dropOldest(): void {
    const [key, oldest] = groups.entries().next().value as [string, FleetGroup];
    groups.delete(key);
    places -= oldest.places.size;
  }

  return {
    feed(accepted) {
      const place = fleetPlaceOf(accepted);
      if (place === undefined) return;
      if (add(groupOf(place), place)) places += 1;
      while (places > MAX_PLACES && groups.size > 1) dropOldest();
    },
    groups: () => groups.values(),
  };
}

/** Adds the crash. Returns true if its place is new. */
function add(group: FleetGroup, { hostname, build, offset, time, pid, procname }: FleetPlace): boolean {
  const earlier = compareInstants(time, group.first);
  if (earlier < 0 || (earlier === 0 && procname < group.procname)) {
    group.procname = procname;
    group.first = time;
  }
  const key = `${offset} ${build ?? ''} ${hostname}`;
  const known = group.places.get(key);
  if (known !== undefined) {
    addCrash(known.crashes, { time, pid });
    return false;
  }
  if (group.places.size >= MAX_PLACES_OF_GROUP) return false;
  group.places.set(key, { hostname, build, offset, crashes: [{ time, pid }] });
  return true;
}

/**
 * Adds the crash unless it is a repeat. At-least-once delivery repeats lines: the same time and process at one place is
 * the same crash.
 */
function addCrash(crashes: GroupedCrash[], crash: GroupedCrash): void {
  if (crashes.some(({ time, pid }) => compareInstants(time, crash.time) === 0 && Object.is(pid, crash.pid))) return;
  crashes.push(crash);
  crashes.sort((a, b) => compareInstants(a.time, b.time) || a.pid - b.pid || 0);
  if (crashes.length > MAX_COUNTED) crashes.pop();
}
