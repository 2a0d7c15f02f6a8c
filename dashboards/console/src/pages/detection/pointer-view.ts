import { ABORT_SIGNAL, SAME_CRASH_SECONDS } from '#schemas/crash.ts';
import type { EventRecord } from './detection-types.ts';
import { extentOf } from './extent.ts';

/** A line about a crash as a point: seconds since 1970, and bytes from the beginning of the mapping. */
export interface CrashPoint {
  readonly seconds: number;
  readonly offset: number;
  readonly kind: 'trap' | 'signal';
}
/** Crashes that the kernel did not log: some time between these, seconds since 1970. */
export interface HiddenCrashes {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}
export interface Mapping {
  readonly file: string | null;
  /** Bytes. */
  readonly size: number;
  /** At so many addresses: more than one when the program was started anew meanwhile. */
  readonly places: number;
}
export interface PointerView {
  /** Oldest first. */
  readonly points: readonly CrashPoint[];
  /** Crashes among the points: a trap line and the dump of the same crash are two points. */
  readonly crashes: number;
  readonly hidden: readonly HiddenCrashes[];
  /** Where offset 0 is, hexadecimal; null when the mapping moved and it is in several places. */
  readonly base: string | null;
  /** Undefined when no event names one: offsets then count from the page of the lowest address of those that lie together. */
  readonly mapping: Mapping | undefined;
  /** Crashes elsewhere, which are not among the points. */
  readonly elsewhere: number;
}

/** The kernel holds lines back for intervals of so long, seconds (`printk_ratelimit`). */
const HOLD_SECONDS = 5;
const PAGE = 4_096n;
/** Neighbours farther apart than this, bytes, are taken for addresses of different mappings. */
const APART = 1n << 24n;
/** The function of the kernel that prints trap lines of programs. */
const TRAP_PRINTER = 'show_signal_msg';

interface Crash {
  readonly seconds: number;
  readonly kind: CrashPoint['kind'];
  readonly at: bigint;
  readonly map: Found | undefined;
  /** A dump whose crash the trap line before has reported. */
  readonly repeats: boolean;
}
interface Found {
  readonly file: string | null;
  readonly start: bigint;
  readonly size: bigint;
}

/** The values of a register over time, as distances that a plot can show; addresses themselves never become numbers. Undefined when there are none. */
export function pointerView(evidence: readonly EventRecord[], register: string | null): PointerView | undefined {
  // Times are of one length and zone, and have more digits than a number of seconds keeps.
  const events = evidence.toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
  const maps = events.flatMap(mapOf);
  const repeated = repeatedCrashes(events, register ?? 'ip');
  const crashes = events.flatMap((event): Crash[] => {
    const at = registerValue(event, register ?? 'ip');
    if (at === undefined) return [];
    const own = mapOf(event)[0];
    const map = own ?? maps.find(({ start, size }) => at >= start && at < start + size);
    const kind = event.event.event.type === 'LinuxKernelTrap' ? 'trap' : 'signal';
    return [{ seconds: secondsOf(event), kind, at, map, repeats: repeated.has(event.id) }];
  });
  if (crashes.length === 0) return undefined;
  const hidden = hiddenOf(events);
  const file = mostNamed(crashes);
  if (file === undefined) {
    const together = crowdOf(crashes);
    const lowest = extentOf(together.map(({ at }) => at))?.low ?? 0n;
    const base = lowest - (lowest % PAGE);
    const points = together.map(({ seconds, kind, at }) => ({ seconds, kind, offset: Number(at - base) }));
    return {
      points,
      crashes: crashesOf(together),
      hidden,
      base: hex(base),
      mapping: undefined,
      elsewhere: crashesOf(crashes) - crashesOf(together),
    };
  }
  const within = crashes.flatMap((crash) =>
    crash.map !== undefined && crash.map.file === file.name ? [{ ...crash, map: crash.map }] : [],
  );
  const starts = new Set(within.map(({ map }) => map.start));
  const [start] = starts;
  const size = extentOf(within.map(({ map }) => map.size))?.high ?? 0n;
  return {
    points: within.map(({ seconds, kind, at, map }) => ({ seconds, kind, offset: Number(at - map.start) })),
    crashes: crashesOf(within),
    hidden,
    base: starts.size === 1 && start !== undefined ? hex(start) : null,
    mapping: { file: file.name, size: Number(size), places: starts.size },
    elsewhere: crashesOf(crashes) - crashesOf(within),
  };
}

function crashesOf(lines: readonly Pick<Crash, 'repeats'>[]): number {
  return lines.filter(({ repeats }) => !repeats).length;
}

/** Ids of dumps that follow the trap line of the same crash: same process, same address, at most so far apart. `events`: oldest first. */
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
  const { stack_dump: dump } = event.event;
  if (typeof dump !== 'object' || dump === null) return undefined;
  const [, text] = Object.entries(dump).find(([key]) => key.toLowerCase() === name) ?? [];
  // A segment may stand before: 0033:0x401233.
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

/** The crashes whose addresses lie together, where most do: one in a library, terabytes away, would press all others into a line. */
function crowdOf(crashes: readonly Crash[]): readonly Crash[] {
  const crowds: Crash[][] = [];
  let before: bigint | undefined;
  for (const crash of crashes.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))) {
    if (before === undefined || crash.at - before > APART) crowds.push([]);
    crowds.at(-1)?.push(crash);
    before = crash.at;
  }
  const [most] = crowds.sort((a, b) => b.length - a.length);
  const chosen = new Set(most);
  return crashes.filter((crash) => chosen.has(crash));
}

/** The file most crashes lie in; in an object because a mapping may have no name. */
function mostNamed(crashes: readonly Crash[]): { readonly name: string | null } | undefined {
  const counts = new Map<string | null, number>();
  for (const { map } of crashes) if (map !== undefined) counts.set(map.file, (counts.get(map.file) ?? 0) + 1);
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && { name: most[0] };
}

/** What was held back came between the last line of the same printer and the one that says how many there were. Traps and signals have each their own. */
function hiddenOf(events: readonly EventRecord[]): HiddenCrashes[] {
  return events.flatMap((event, index) => {
    const { type, count, function_name: printer } = event.event.event;
    if (type !== 'LinuxSuppressedCallback') return [];
    const held = printer === TRAP_PRINTER ? 'LinuxKernelTrap' : 'LinuxFatalSignal';
    const before = events.slice(0, index).findLast((one) => one.event.event.type === held);
    const to = secondsOf(event);
    return [{ from: before === undefined ? to - HOLD_SECONDS : secondsOf(before), to, count: Number(count) }];
  });
}
