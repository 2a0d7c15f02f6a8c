import type { KernelTrap } from '#schemas/events/event.ts';
import { toAddress } from '../state/address.ts';
import type { Program } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';
import type { RecordedCrash } from './crash-places.ts';
import { NULL_AREA } from './explained-faults.ts';

/** Faults of a kind of a program, flat: seconds, space and offset of the place, part of the stack pointer. The oldest gives way. */
const FIELDS = 4;
const MAX_FAULTS = 64 * FIELDS;
/** Bits of an address below those that randomisation draws. */
const PAGE_BITS = 12;
/** Stack pointers of one image differ by less than this, and those of two by more. */
const SAME_STACK = 1;

/**
 * Kinds of faults that a program sent to a wrong place causes more often than other programs do, by the name under which they are remembered:
 *  - `jumps` to memory that is not mapped or not executable. Kept with the address of the target.
 *  - `protection-faults`: the address in a register is not a valid one, such as a return to bytes of a request. Kept with the place of the instruction.
 */
export type FaultKind = 'jumps' | 'protection-faults';

/** One fault of such a kind. */
export interface PlacedFault {
  readonly seconds: number;
  readonly space: number;
  /** Of a jump: 0 for every address of a null pointer with an offset: they are one target. */
  readonly offset: number;
  /** The stack pointer in steps of 1 MiB for 64-bit programs, and of 4 KiB for 32-bit ones: the same for children of one fork parent. */
  readonly stack: number;
}

/** Whether the fault is the fetch of the instruction itself: the program was sent where there is no code. */
export function isJump({ trap, errcode, ip }: KernelTrap): boolean {
  return trap.type === 'Segfault' && (errcode.instruction_fetch || trap.location === ip);
}

/** Remembers the crash if it is of one of the kinds, and returns which. */
export function recordFault(program: Program, { trap, counted, time, at }: RecordedCrash): FaultKind | undefined {
  if (trap === undefined || !counted) return undefined;
  const kind = isJump(trap) ? 'jumps' : trap.trap.type === 'GeneralProtectionFault' ? 'protection-faults' : undefined;
  if (kind === undefined) return undefined;
  const stack = toAddress(trap.sp).offset;
  const faults = ruleMemory(program, kind);
  if (faults.length >= MAX_FAULTS) faults.splice(0, FIELDS);
  faults.push(
    time.seconds,
    at.space,
    at.space === 0 && at.offset < NULL_AREA ? 0 : at.offset,
    Math.floor(stack / (stack < 2 ** 32 ? 2 ** 12 : 2 ** 20)),
  );
  return kind;
}

/** Faults of the kind of the program within `window` seconds of `t`, oldest arrival first. */
export function faultsOf(program: Program, kind: FaultKind, t: number, window: number): PlacedFault[] {
  const flat = program.memory?.get(kind) ?? [];
  const faults: PlacedFault[] = [];
  for (let i = 0; i < flat.length; i += FIELDS) {
    const [seconds, space, offset, stack] = flat.slice(i, i + FIELDS) as [number, number, number, number];
    if (Math.abs(seconds - t) <= window) faults.push({ seconds, space, offset, stack });
  }
  return faults;
}

/** Those of the image of the latest fault. */
export function ofLatestImage(faults: readonly PlacedFault[]): PlacedFault[] {
  const latest = faults.at(-1);
  if (latest === undefined) return [];
  return faults.filter(({ stack }) => Math.abs(stack - latest.stack) <= SAME_STACK);
}

/** How often each place occurs, by `key`. */
export function countPlaces(
  faults: readonly PlacedFault[],
  key: (fault: PlacedFault) => string,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const fault of faults) counts.set(key(fault), (counts.get(key(fault)) ?? 0) + 1);
  return counts;
}

/** The whole address. */
export function wholePlace({ space, offset }: PlacedFault): string {
  return `${space}:${offset}`;
}

/** The part of the address that randomisation does not change: of a broken pointer it is the same in every execution. */
export function placeInPage({ offset }: PlacedFault): string {
  return offset === 0 ? 'null' : String(offset % 2 ** PAGE_BITS);
}
