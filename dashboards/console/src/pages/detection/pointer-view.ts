import { ABORT_SIGNAL, SAME_CRASH_SECONDS } from '#schemas/crash.ts';
import { visible } from '../../parts/visible.ts';
import type { EventRecord } from './detection-types.ts';
import { extentOf } from './extent.ts';

/** A log line about a crash as a point: seconds since the epoch, and bytes from the start of the mapping. */
export interface CrashPoint {
  readonly seconds: number;
  readonly offset: number;
  readonly kind: 'trap' | 'signal';
  /** The value, in hexadecimal. */
  readonly address: string;
  /** `nginx+0x1f0`, or the address if the file is unknown. */
  readonly place: string;
  /** Id of the event. */
  readonly id: string;
}
/** Crashes that the kernel did not log, and their period in seconds since the epoch. */
export interface UnloggedCrashes {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}
export interface Mapping {
  readonly file: string | null;
  /** Bytes. */
  readonly size: number;
  /** Number of addresses at which it was mapped. More than one if the program was restarted. */
  readonly places: number;
}
export interface PointerView {
  /** Oldest first. */
  readonly points: readonly CrashPoint[];
  /** Number of crashes among the points. A trap line and the dump of the same crash are two points. */
  readonly crashes: number;
  readonly unlogged: readonly UnloggedCrashes[];
  /** Address of offset 0, in hexadecimal; null if the mapping moved. */
  readonly base: string | null;
  /** Undefined if no event contains a mapping. Offsets are then relative to the page of the lowest address. */
  readonly mapping: Mapping | undefined;
  /** Number of crashes at other addresses, which are not among the points. */
  readonly elsewhere: number;
}

/** Register of detections about the addresses that instructions used. */
export const ACCESSED = 'address';
/** Interval in which the kernel drops messages, in seconds (`printk_ratelimit`). */
const SUPPRESSION_SECONDS = 5;
const PAGE = 4_096n;
/** Maximum distance of neighbouring addresses in one group, bytes. */
const GROUP_DISTANCE = 1n << 24n;
/** Kernel function that logs the trap lines of programs. */
const TRAP_PRINTER = 'show_signal_msg';

interface Crash {
  readonly seconds: number;
  readonly kind: CrashPoint['kind'];
  readonly at: bigint;
  readonly map: Found | undefined;
  readonly id: string;
  /** True for a dump whose crash the previous trap line already reported. */
  readonly repeats: boolean;
}
interface Found {
  readonly file: string | null;
  readonly start: bigint;
  readonly size: bigint;
}

/**
 * Returns the values of a register over time, as offsets that a plot can show. Addresses stay `bigint`. Undefined if no
 * event contains the register.
 */
export function pointerView(evidence: readonly EventRecord[], register: string | null): PointerView | undefined {
  // Compares strings: all times have the same length and zone, and more digits than a number can represent.
  const events = withoutRepeats(evidence.toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time))));
  const maps = events.flatMap(mapOf);
  const repeated = repeatedCrashes(events, register ?? 'ip');
  const crashes = events.flatMap((event): Crash[] => {
    const at = registerValue(event, register ?? 'ip');
    if (at === undefined) return [];
    // The mapping of a trap line contains the instruction, not the address that it used.
    const own = register === ACCESSED ? undefined : mapOf(event)[0];
    const map = own ?? maps.find(({ start, size }) => at >= start && at < start + size);
    const kind = event.event.event.type === 'LinuxKernelTrap' ? 'trap' : 'signal';
    return [{ seconds: secondsOf(event), kind, at, map, id: event.id, repeats: repeated.has(event.id) }];
  });
  if (crashes.length === 0) return undefined;
  const unlogged = unloggedCrashesOf(events, repeated);
  const file = mostFrequentFile(crashes);
  if (file === undefined) {
    const largest = largestGroup(crashes);
    // Without a majority, all crashes are shown, because the distances are what they have in common. Example: targets
    // of jumps.
    const group = largest.length * 2 >= crashes.length ? largest : crashes;
    const lowest = extentOf(group.map(({ at }) => at))?.low ?? 0n;
    const base = lowest - (lowest % PAGE);
    const points = group.map((crash) => pointOf(crash, base));
    return {
      points,
      crashes: crashesOf(group),
      unlogged,
      base: hex(base),
      mapping: undefined,
      elsewhere: crashesOf(crashes) - crashesOf(group),
    };
  }
  const within = crashes.flatMap((crash) =>
    crash.map !== undefined && crash.map.file === file.name ? [{ ...crash, map: crash.map }] : [],
  );
  const starts = new Set(within.map(({ map }) => map.start));
  const [start] = starts;
  const size = extentOf(within.map(({ map }) => map.size))?.high ?? 0n;
  return {
    points: within.map((crash) => pointOf(crash, crash.map.start)),
    crashes: crashesOf(within),
    unlogged,
    base: starts.size === 1 && start !== undefined ? hex(start) : null,
    mapping: { file: file.name, size: Number(size), places: starts.size },
    elsewhere: crashesOf(crashes) - crashesOf(within),
  };
}

function pointOf({ seconds, kind, at, map, id }: Crash, base: bigint): CrashPoint {
  const place = map?.file ? `${visible(map.file)}+${hex(at - map.start)}` : hex(at);
  return { seconds, kind, offset: Number(at - base), address: hex(at), place, id };
}

/** Removes repeated deliveries of a line: the same time, process and place. */
function withoutRepeats(events: readonly EventRecord[]): EventRecord[] {
  const seen = new Set<string>();
  return events.filter(({ time, hex: { ip }, event: { event } }) => {
    const { type, pid, stack_dump: dump, function_name, count } = event;
    const dumped = typeof dump === 'object' && dump !== null && 'PID' in dump ? dump.PID : undefined;
    if (pid === undefined && dumped === undefined && function_name === undefined) return true;
    const line = JSON.stringify([time, type, pid ?? dumped, ip, function_name, count].map(String));
    return !seen.has(line) && seen.add(line);
  });
}

function crashesOf(lines: readonly Pick<Crash, 'repeats'>[]): number {
  return lines.filter(({ repeats }) => !repeats).length;
}

/**
 * Returns the ids of dumps that follow the trap line of the same crash: same process and address, at most
 * SAME_CRASH_SECONDS later. `events`: oldest first.
 */
function repeatedCrashes(events: readonly EventRecord[], register: string): ReadonlySet<string> {
  const trapped = new Map<string, { readonly seconds: number; readonly ip: string | undefined }>();
  const repeated = new Set<string>();
  for (const event of events) {
    const { type, pid, signal, stack_dump: dump } = event.event.event;
    if (registerValue(event, register) === undefined) continue;
    const seconds = secondsOf(event);
    const { ip } = event.hex;
    if (type === 'LinuxKernelTrap') {
      trapped.set(String(pid), { seconds, ip });
      continue;
    }
    if (type !== 'LinuxFatalSignal' || signal === ABORT_SIGNAL) continue;
    const dumped = typeof dump === 'object' && dump !== null && 'PID' in dump ? String(dump.PID) : undefined;
    const trap = dumped === undefined ? undefined : trapped.get(dumped);
    if (dumped === undefined || trap === undefined) continue;
    trapped.delete(dumped);
    const sameAddress = ip === undefined || ip === trap.ip;
    if (sameAddress && seconds - trap.seconds <= SAME_CRASH_SECONDS) repeated.add(event.id);
  }
  return repeated;
}

export function hex(value: bigint): string {
  return `0x${value.toString(16)}`;
}

function secondsOf({ time }: EventRecord): number {
  return Date.parse(time) / 1_000;
}

function registerValue({ hex: addresses, event }: EventRecord, register: string): bigint | undefined {
  const name = register.toLowerCase();
  if (name === 'ip' || name === 'rip') return addresses.ip === undefined ? undefined : BigInt(addresses.ip);
  if (name === ACCESSED) return addresses.location === undefined ? undefined : BigInt(addresses.location);
  const { stack_dump: dump } = event.event;
  if (typeof dump !== 'object' || dump === null) return undefined;
  const [, text] = Object.entries(dump).find(([key]) => key.toLowerCase() === name) ?? [];
  // The value can have a segment prefix: 0033:0x401233.
  const digits = typeof text === 'string' ? /^(?:[0-9a-f]+:)?(?:0x)?([0-9a-f]{1,16})$/i.exec(text)?.[1] : undefined;
  return digits === undefined ? undefined : BigInt(`0x${digits}`);
}

function mapOf({ hex: addresses, event }: EventRecord): Found[] {
  const { file, vmasize } = event.event;
  if (addresses.vmastart === undefined || typeof vmasize !== 'number') return [];
  return [
    {
      file: typeof file === 'string' ? file : null,
      start: BigInt(addresses.vmastart),
      size: BigInt(Math.round(vmasize)),
    },
  ];
}

/**
 * Returns the crashes of the largest group of addresses. A crash in a library, terabytes apart, would compress all
 * others into one line of the plot.
 */
function largestGroup(crashes: readonly Crash[]): readonly Crash[] {
  const groups: Crash[][] = [];
  let before: bigint | undefined;
  for (const crash of crashes.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))) {
    if (before === undefined || crash.at - before > GROUP_DISTANCE) groups.push([]);
    groups.at(-1)?.push(crash);
    before = crash.at;
  }
  const [largest] = groups.sort((a, b) => b.length - a.length);
  const chosen = new Set(largest);
  return crashes.filter((crash) => chosen.has(crash));
}

/** Returns the file in which most crashes lie. The result is an object, because a mapping can be unnamed. */
function mostFrequentFile(crashes: readonly Crash[]): { readonly name: string | null } | undefined {
  const counts = new Map<string | null, number>();
  for (const { map } of crashes) if (map !== undefined) counts.set(map.file, (counts.get(map.file) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && { name: most[0] };
}

/**
 * Returns periods with unlogged crashes. Suppressed messages lie between the previous line of the same kernel function
 * and the line with their number. Traps and signals are suppressed separately: a suppressed trap line is no unlogged
 * crash if the dump of the crash was logged. `repeated`: ids of dumps whose trap line was logged.
 */
function unloggedCrashesOf(events: readonly EventRecord[], repeated: ReadonlySet<string>): UnloggedCrashes[] {
  const dumps = events.filter(
    ({ id, event: { event } }) =>
      event.type === 'LinuxFatalSignal' && event.signal !== ABORT_SIGNAL && !repeated.has(id),
  );
  return events.flatMap((event, index) => {
    const { type, count, function_name: printer } = event.event.event;
    if (type !== 'LinuxSuppressedCallback') return [];
    const suppressed = printer === TRAP_PRINTER ? 'LinuxKernelTrap' : 'LinuxFatalSignal';
    const before = events.slice(0, index).findLast((one) => one.event.event.type === suppressed);
    const to = secondsOf(event);
    const from = before === undefined ? to - SUPPRESSION_SECONDS : secondsOf(before);
    const dumped = printer !== TRAP_PRINTER ? [] : dumps.map(secondsOf).filter((at) => at >= from && at <= to);
    const unlogged = Number(count) - dumped.length;
    return unlogged > 0 ? [{ from, to, count: unlogged }] : [];
  });
}
