import type { KernelTrap, U64 } from '#schemas/events/event.ts';
import { type Address, parseRegister } from '../state/address.ts';
import type { Program } from '../state/program.ts';
import { isInLibrary } from '../state/program-spaces.ts';
import { ruleMemory } from '../state/rule-memory.ts';

/*
 * Faults that show where data ended, not where an attacker sent the program. The program hits the end of the data at
 * whichever instruction comes first. Its instruction pointer therefore changes from crash to crash, as in a scan. There
 * are two kinds:
 *
 * - the stack is exhausted: a write just below the stack pointer (unbounded recursion). An attack leaves the stack
 *   mapped.
 * - a mapping is overrun: the access lies at the edge of a page, as when a copy runs past the end of a buffer, one
 *   vector register at a time. The registers of a hijacked program point there about once in 32 crashes.
 *
 * The instruction pointers of such faults are no evidence of a probe.
 */

/** Maximum distance below the stack pointer, bytes: from a push to a frame with a large array. */
const STACK_REACH = 65_536;
/** Width of the widest vector register, bytes. */
const EDGE = 64;
const PAGE = 4_096;
/** Maximum size of the frame of a recursive function for which arm64 shows the end of the stack, bytes. */
const FRAME = 256;
/** Beginning of the description of a failed memory access of arm64. */
const DATA_ABORT = 'DABT ';
/** Addresses below are null pointers with an offset (`vm.mmap_min_addr`). */
export const NULL_AREA = 65_536;
/** Maximum number of stored places of explained faults per program, two numbers each. The oldest is dropped first. */
const MAX_PLACES = 32;
/**
 * Maximum distance, in bytes, at which a dump gets the explanation of an earlier fault: it is in the same function. The
 * dump itself does not contain the accessed address.
 */
const SAME_FUNCTION = 256;
/**
 * Maximum length of a copy function of a C library, bytes. Its registers move with the alignment and the length of the
 * copy.
 */
const LIBRARY_FUNCTION = 1_024;
const MEMORY = 'explained-faults';
/**
 * Stack pointers of faults at the end of a stack. Forked processes share the end of their stack. Other faults do not
 * occur near it.
 */
const STACK_ENDS = 'stack-ends';
const MAX_STACK_ENDS = 8;

/**
 * Library functions in which data ended, as flat numbers: space, offset of the first such fault, number of faults that
 * show it, and number of others. The oldest is dropped first. A copy to a wrong place also faults in the middle of a
 * page. In a hijacked program, one fault in 32 lies at the edge of a page. Three such faults, and one fault in four,
 * are rare there: 0.5 % of samples of 12 faults have three.
 */
const FUNCTIONS = 'overrun-functions';
const FUNCTION_FIELDS = 4;
const MAX_FUNCTIONS = 16 * FUNCTION_FIELDS;
const MIN_EXPLAINED = 3;
const MIN_EXPLAINED_SHARE = 0.25;

/** Returns true if the trap shows the end of the stack or of a mapping. */
export function isExplained({ trap, errcode, sp, file }: KernelTrap): boolean {
  if (trap.type === 'Generic') return isAtStackEdge(trap.description, toNumber(sp), errcode);
  if (trap.type !== 'Segfault' || errcode.instruction_fetch || file === null || file === undefined) return false;
  const location = toNumber(trap.location);
  if (location < NULL_AREA) return false;
  if (isAtStackEnd(location, toNumber(sp), errcode)) return true;
  const offset = location % PAGE;
  return offset < EDGE || offset >= PAGE - EDGE;
}

/** Returns true if the access is a write just below the stack pointer. */
export function isAtStackEnd(location: number, sp: number, { access_type }: KernelTrap['errcode']): boolean {
  const below = sp - location;
  return access_type === 'Write' && below >= -PAGE && below <= STACK_REACH;
}

/**
 * Returns true if a write failed while the stack pointer was at the edge of a page, as on arm64 when the stack is
 * exhausted. Its kernel prints no address of the access. A stack ends at the edge of a page, and a function that needs
 * a frame writes at both ends of it. The stack pointer of a hijacked program is there in one of eight executions, and
 * then its failed writes do not count.
 */
function isAtStackEdge(description: string, sp: number, { access_type }: KernelTrap['errcode']): boolean {
  if (access_type !== 'Write' || !description.startsWith(DATA_ABORT)) return false;
  const offset = sp % PAGE;
  return offset < FRAME || offset >= PAGE - FRAME;
}

/** Exact to a page, which suffices for distances between user-space addresses. */
function toNumber(address: U64): number {
  return typeof address === 'number' ? address : Number(address);
}

/**
 * Stores an explained fault: its place, and where a stack ended. It explains later dumps whose trap lines the kernel
 * suppressed.
 */
export function rememberExplained(
  program: Program,
  { space, offset }: Address,
  { trap, errcode, sp: pointer }: KernelTrap,
): void {
  const sp = toNumber(pointer);
  const location = trap.type === 'Segfault' ? toNumber(trap.location) : Number.NaN;
  if (isAtStackEnd(location, sp, errcode) && !isNearStackEnd(program, sp)) {
    const ends = ruleMemory(program, STACK_ENDS);
    if (ends.length >= MAX_STACK_ENDS) ends.shift();
    ends.push(sp);
  }
  const places = ruleMemory(program, MEMORY);
  for (let i = 0; i < places.length; i += 2)
    if (places[i] === space && Math.abs((places[i + 1] as number) - offset) < EDGE) return;
  if (places.length >= MAX_PLACES * 2) places.splice(0, 2);
  places.push(space, offset);
}

/**
 * Returns true if the data access belongs to a library function whose faults mostly show where data ended. Records the
 * access; `explained` states whether this one shows it.
 */
export function isOverrunFunction(
  program: Program,
  { space, offset }: Address,
  { trap, errcode }: KernelTrap,
  explained: boolean,
): boolean {
  if (trap.type !== 'Segfault' || errcode.instruction_fetch || !isInLibrary(program, space)) return false;
  const known = program.memory?.get(FUNCTIONS) ?? [];
  let at = 0;
  while (
    at < known.length &&
    !(known[at] === space && Math.abs((known[at + 1] as number) - offset) <= LIBRARY_FUNCTION)
  )
    at += FUNCTION_FIELDS;
  if (at >= known.length) {
    if (!explained) return false;
    const functions = ruleMemory(program, FUNCTIONS);
    if (functions.length >= MAX_FUNCTIONS) functions.splice(0, FUNCTION_FIELDS);
    functions.push(space, offset, 1, 0);
    return false;
  }
  const counted = at + (explained ? 2 : 3);
  known[counted] = (known[counted] as number) + 1;
  const [shown, others] = [known[at + 2] as number, known[at + 3] as number];
  return shown >= MIN_EXPLAINED && shown >= (shown + others) * MIN_EXPLAINED_SHARE;
}

/**
 * Returns true if an earlier trap explains a dump at this place: in the same function, or at the end of the same stack.
 */
export function isExplainedNearby(program: Program, at: Address, registers: Readonly<Record<string, string>>): boolean {
  if (isNearExplained(program, at, SAME_FUNCTION)) return true;
  if (program.memory?.has(STACK_ENDS) !== true) return false;
  const sp = parseRegister(registers.RSP ?? registers.sp);
  return sp?.space === 0 && isNearStackEnd(program, sp.offset);
}

function isNearStackEnd({ memory }: Program, sp: number): boolean {
  return memory?.get(STACK_ENDS)?.some((end) => Math.abs(end - sp) <= STACK_REACH) ?? false;
}

/**
 * Returns true if the registers of a dump at this place move like those of a copy that overran its data. The place must
 * lie in a library, in the same function as an earlier explained trap. Such a copy also faults in the middle of a page,
 * so the place alone does not explain it.
 */
export function areRegistersExplained(program: Program, at: Address): boolean {
  return isInLibrary(program, at.space) && isNearExplained(program, at, LIBRARY_FUNCTION);
}

function isNearExplained(program: Program, { space, offset }: Address, reach: number): boolean {
  const places = program.memory?.get(MEMORY);
  if (places === undefined) return false;
  for (let i = 0; i < places.length; i += 2)
    if (places[i] === space && Math.abs((places[i + 1] as number) - offset) <= reach) return true;
  return false;
}
