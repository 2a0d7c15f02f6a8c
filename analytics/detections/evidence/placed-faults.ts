import type { KernelTrap } from '#schemas/events/event.ts';
import { toAddress, toDouble } from '../state/address.ts';
import type { Program } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';
import type { RecordedCrash } from './crash-places.ts';
import { isAtStackEnd, NULL_AREA } from './explained-faults.ts';

/**
 * A program's faults of one kind as flat numbers: seconds, space and offset of the place, part of the stack pointer.
 * The oldest is dropped first.
 */
const FIELDS = 4;
const MAX_FAULTS = 64 * FIELDS;
/** Number of low address bits that randomisation does not change. */
export const PAGE_BITS = 12;
/** Stack pointers of one image differ by at most this; those of two images differ by more. */
const SAME_STACK = 1;

/**
 * Kinds of faults that a hijacked program causes more often than others, by the name under which they are stored:
 * - `jumps`: to memory that is not mapped or not executable. Stored with the address of the target.
 * - `protection-faults`: the address in a register is invalid, such as a return to bytes of a request. Stored with the
 *   place of the instruction.
 */
export type FaultKind = 'jumps' | 'protection-faults';

/** One fault of such a kind. */
export interface PlacedFault {
  readonly seconds: number;
  readonly space: number;
  /** For jumps, 0 for every null pointer with an offset: they count as one target. */
  readonly offset: number;
  /** Stack number; see `stackNumber`. */
  readonly stack: number;
}

/** Returns true if the instruction fetch itself faulted: the program was sent to a place without code. */
export function isJump({ trap, errcode, ip }: KernelTrap): boolean {
  return trap.type === 'Segfault' && (errcode.instruction_fetch || trap.location === ip);
}

/** Returns true if the access, or the jump, was to an address that is no null pointer with an offset. */
export function isFarAccess({ trap }: KernelTrap): boolean {
  return trap.type === 'Segfault' && trap.location >= NULL_AREA;
}

/** Returns true if the write was just below the stack pointer: the stack of a thread is exhausted. */
export function isStackOverflow({ trap, sp, errcode }: KernelTrap): boolean {
  return trap.type === 'Segfault' && isAtStackEnd(toDouble(trap.location), toDouble(sp), errcode);
}

/**
 * Returns the stack pointer in steps of 1 MiB for 64-bit programs and of 4 KiB for 32-bit programs. It is nearly the
 * same for children of one fork parent.
 */
export function stackNumber(pointer: number): number {
  return Math.floor(pointer / (pointer < 2 ** 32 ? 2 ** 12 : 2 ** 20));
}

/** Returns true if the two stack numbers belong to one image. */
export function isSameStack(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_STACK;
}

/** Stores the crash if it is of one of the kinds, and returns that kind. */
export function recordFault(program: Program, { trap, counted, time, at }: RecordedCrash): FaultKind | undefined {
  if (trap === undefined || !counted) return undefined;
  const kind = isJump(trap) ? 'jumps' : trap.trap.type === 'GeneralProtectionFault' ? 'protection-faults' : undefined;
  if (kind === undefined) return undefined;
  const faults = ruleMemory(program, kind);
  if (faults.length >= MAX_FAULTS) faults.splice(0, FIELDS);
  faults.push(
    time.seconds,
    at.space,
    at.space === 0 && at.offset < NULL_AREA ? 0 : at.offset,
    stackNumber(toAddress(trap.sp).offset),
  );
  return kind;
}

/** Returns the program's faults of this kind within `window` seconds of `t`, in order of arrival. */
export function faultsOf(program: Program, kind: FaultKind, t: number, window: number): PlacedFault[] {
  const flat = program.memory?.get(kind) ?? [];
  const faults: PlacedFault[] = [];
  for (let i = 0; i < flat.length; i += FIELDS) {
    const [seconds, space, offset, stack] = flat.slice(i, i + FIELDS) as [number, number, number, number];
    if (Math.abs(seconds - t) <= window) faults.push({ seconds, space, offset, stack });
  }
  return faults;
}

/** Returns the faults of the same image as the latest fault. */
export function ofLatestImage(faults: readonly PlacedFault[]): PlacedFault[] {
  const latest = faults.at(-1);
  if (latest === undefined) return [];
  return faults.filter(({ stack }) => isSameStack(stack, latest.stack));
}

/** Counts how often each place occurs, by `key`. */
export function countPlaces(
  faults: readonly PlacedFault[],
  key: (fault: PlacedFault) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const fault of faults) counts.set(key(fault), (counts.get(key(fault)) ?? 0) + 1);
  return counts;
}

/** Key of the whole address. */
export function wholePlace({ space, offset }: Pick<PlacedFault, 'space' | 'offset'>): string {
  return `${space}:${offset}`;
}

/**
 * Key of the address bits that randomisation does not change. For a broken pointer, it is the same in every execution.
 */
export function placeInPage({ offset }: PlacedFault): string {
  return offset === 0 ? 'null' : String(offset % 2 ** PAGE_BITS);
}
