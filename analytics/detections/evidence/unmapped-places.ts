import type { KernelTrap } from '#schemas/events/event.ts';
import { parseRegister, toAddress } from '../state/address.ts';
import * as place from '../state/crash-points.ts';
import type { Host, Program } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';
import type { RecordedCrash } from './crash-places.ts';
import { NULL_AREA } from './explained-faults.ts';
import { isJump, isSameStack, PAGE_BITS, stackNumber } from './placed-faults.ts';
import { areScattered, type ScatterThresholds } from './scattered-places.ts';

/*
 * Crashes on kernels that do not name the file in which a program crashed: 32-bit ARM, arm64 before 4.14, powerpc
 * before 4.18, and register dumps without a trap line. The place is then an absolute address, which address
 * randomisation changes. Two keys of a place are stable:
 *
 * - The address itself, among the children of one parent. Their stacks lie close together.
 * - The offset in the page, in all executions. Randomisation moves a mapping by whole pages.
 *
 * A program has at most as many of either key as it has faults, so the base rate of scattered places in files applies
 * here too.
 */

const MEMORY = 'unmapped-places';
/**
 * Per place: space and offset, stack number (0 if unknown) and process id (0 if unknown). The oldest place is dropped
 * first.
 */
const FIELDS = 4;
const MAX_PLACES = 64 * FIELDS;
/** Mark of a host whose kernel names files. */
const NAMES_FILES = 'names-files';

/** Ranges of x86 stacks: of 64-bit programs, and of 32-bit programs, which lie above those of ARM. */
const X86_STACKS = [
  { from: 0x7e00_0000_0000, to: 0x8000_0000_0000 },
  { from: 0xbf00_0000, to: 0x1_0000_0000 },
] as const;

/** Scattered places of a program, as ascending indexes. */
interface UnmappedScan {
  readonly places: readonly number[];
  /** True if the places share one memory layout. */
  readonly isOneLayout: boolean;
}

/**
 * Records that the kernel of the host names files, if the trap shows it. Runs for every trap, including those that no
 * rule judges.
 */
export function noteFileNames(host: Host, trap: KernelTrap): void {
  if (host.memory?.has(NAMES_FILES) === true || !namesFile(trap)) return;
  ruleMemory(host, NAMES_FILES).push(1);
}

/**
 * Records the place of a crash without a file. Does nothing if the kernel of the host names files, because such a place
 * lies in generated code. Returns true if the place was recorded.
 */
export function recordUnmapped(program: Program, crash: RecordedCrash): boolean {
  const { at, pid } = crash;
  if (!crash.fresh || !isCandidate(program, crash)) return false;
  const places = ruleMemory(program, MEMORY);
  for (let i = 0; i < places.length; i += FIELDS)
    if (places[i] === at.space && places[i + 1] === at.offset) places.splice(i, FIELDS);
  if (places.length >= MAX_PLACES) places.splice(0, FIELDS);
  places.push(at.space, at.offset, stackOf(crash), Number.isNaN(pid) ? 0 : pid);
  return true;
}

/** Returns true if the place of the crash may belong to a scan of a text whose file the kernel does not name. */
export function isCandidate({ host }: Program, crash: RecordedCrash): boolean {
  const { trap, at, explained } = crash;
  if (at.space > 0 || explained || (at.space === 0 && at.offset < NULL_AREA)) return false;
  if (host.memory?.has(NAMES_FILES) === true) return false;
  // A dump of the kernel contains the stack pointer. A core dump names the file if there is one.
  return trap === undefined ? stackOf(crash) > 0 : !isJump(trap) && !isNullCheck(trap);
}

/**
 * Returns true if the access was to a null pointer or a field of one. Virtual machines use such faults instead of a
 * check.
 */
function isNullCheck({ trap }: KernelTrap): boolean {
  if (trap.type !== 'Segfault') return false;
  const { space, offset } = toAddress(trap.location);
  return space === 0 && offset < NULL_AREA;
}

/**
 * Returns true if the process may have handled the fault. Kernels that name files do not log handled faults, and a dump
 * belongs to a signal that ended the process.
 */
export function mayBeHandled({ memory }: Host, { trap }: RecordedCrash): boolean {
  return trap !== undefined && memory?.has(NAMES_FILES) !== true;
}

/** Returns the stack number of the crash, or 0 if the log does not contain the stack pointer. */
export function stackOf({ trap, registers }: Pick<RecordedCrash, 'trap' | 'registers'>): number {
  const sp = trap === undefined ? parseRegister(registers?.RSP ?? registers?.sp) : toAddress(trap.sp);
  return sp === undefined ? 0 : stackNumber(sp.offset);
}

/** Returns the number of recorded places without a file. */
export function unmappedPlaces({ memory }: Program): number {
  return (memory?.get(MEMORY)?.length ?? 0) / FIELDS;
}

/**
 * Returns the places of the program if they are scattered like those of a scan, otherwise undefined. Checks the places
 * in the layout of the latest place, then the page offsets of all places. A process that crashes at several places does
 * not die: it handles its faults, as virtual machines do, and 32-bit ARM logs them nevertheless.
 */
export function findUnmapped(program: Program, t: number, rule: ScatterThresholds): UnmappedScan | undefined {
  const flat = program.memory?.get(MEMORY) ?? [];
  if (flat.length < Math.min(rule.minScattered, rule.minAlone) * FIELDS) return undefined;
  const known = knownPlaces(program, flat, t, rule.window);
  const latest = known.at(-1);
  if (latest === undefined) return undefined;
  const ofImage = known.filter(({ stack }) => stack > 0 && isSameStack(stack, latest.stack));
  if (
    areScattered(
      ofImage.map(({ crashes }) => crashes),
      rule,
    )
  )
    return { places: indexesOf(ofImage), isOneLayout: true };
  const inPages = new Map<number, number>();
  for (const { offset, crashes } of known) {
    const inPage = offset % 2 ** PAGE_BITS;
    inPages.set(inPage, (inPages.get(inPage) ?? 0) + crashes);
  }
  return areScattered([...inPages.values()], rule) ? { places: indexesOf(known), isOneLayout: false } : undefined;
}

interface KnownPlace {
  readonly index: number;
  readonly offset: number;
  readonly stack: number;
  readonly crashes: number;
}

/** Returns the recorded places with a crash within the window, of processes that crashed once, oldest first. */
function knownPlaces({ points }: Program, flat: readonly number[], t: number, window: number): KnownPlace[] {
  const placesOf = new Map<number, number>();
  for (let i = 3; i < flat.length; i += FIELDS) {
    const pid = flat[i] as number;
    if (pid !== 0) placesOf.set(pid, (placesOf.get(pid) ?? 0) + 1);
  }
  const known: KnownPlace[] = [];
  for (let i = 0; i < flat.length; i += FIELDS) {
    const [space, offset, stack, pid] = flat.slice(i, i + FIELDS) as [number, number, number, number];
    if ((placesOf.get(pid) ?? 1) > 1) continue;
    const index = place.lowerBound(points, space, offset);
    if (!place.isAt(points, index, space, offset) || !place.isInWindow(points, index, t, window)) continue;
    known.push({ index, offset, stack, crashes: points[index * place.STRIDE + place.CRASHES] as number });
  }
  return known;
}

const indexesOf = (places: readonly KnownPlace[]): number[] => places.map(({ index }) => index).sort((a, b) => a - b);

/** Returns true if the kernel that printed the line names the file of a crash inside a file. x86 always does. */
function namesFile({ file, sp }: KernelTrap): boolean {
  if (typeof file === 'string') return true;
  const stack = toAddress(sp);
  return stack.space === 0 && X86_STACKS.some(({ from, to }) => stack.offset >= from && stack.offset < to);
}
