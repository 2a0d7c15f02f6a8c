import type { KernelTrap, U64 } from '#schemas/events/event.ts';
import type { Address } from '../state/address.ts';
import { isLibrary } from '../state/library-name.ts';
import type { Program } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';

/*
 * Faults that say where data ended, not where the program was sent. Their instruction pointer moves from crash to crash as that of a scan
 * does, because the end of the data is hit at whichever instruction comes first:
 *
 *  - the stack is exhausted: a write just below the stack pointer (unbounded recursion). An attack leaves the stack mapped.
 *  - a mapping is overrun: the access lies at the edge of a page, as copying past the end of a buffer does, one vector register at a time.
 *    The registers of a hijacked program point there about once in 32 crashes.
 *
 * The instruction pointers of such faults are no evidence of a probe.
 */

/** From one push to a frame with a large array. */
const STACK_REACH = 65_536;
/** Width of the largest vector register, bytes. */
const EDGE = 64;
const PAGE = 4_096;
/** Below, an address is a null pointer with an offset (`vm.mmap_min_addr`). */
export const NULL_AREA = 65_536;
/** Places of explained faults that are remembered of a program; the oldest gives way. Two numbers each. */
const MAX_PLACES = 32;
/** A dump, which does not show the address of the access, has the same explanation this close to such a place: the same function. */
const SAME_FUNCTION = 256;
/** The copy functions of a C library are this long. Their registers move with the alignment and the length of the copy. */
const LIBRARY_FUNCTION = 1_024;
const MEMORY = 'explained-faults';

/** Whether the trap shows the end of the stack or of a mapping. */
export function isExplained({ trap, errcode, sp, file }: KernelTrap): boolean {
  if (trap.type !== 'Segfault' || errcode.instruction_fetch || file === null || file === undefined) return false;
  const location = toNumber(trap.location);
  if (location < NULL_AREA) return false;
  const below = toNumber(sp) - location;
  if (errcode.access_type === 'Write' && below >= -PAGE && below <= STACK_REACH) return true;
  const offset = location % PAGE;
  return offset < EDGE || offset >= PAGE - EDGE;
}

/** Exact to a page: what is compared here are distances of user-space addresses. */
function toNumber(address: U64): number {
  return typeof address === 'number' ? address : Number(address);
}

/** Remembers the place of an explained fault for the dumps of later ones, whose trap lines the kernel may suppress. */
export function rememberExplained(program: Program, { space, offset }: Address): void {
  const places = ruleMemory(program, MEMORY);
  for (let i = 0; i < places.length; i += 2)
    if (places[i] === space && Math.abs((places[i + 1] as number) - offset) < EDGE) return;
  if (places.length >= MAX_PLACES * 2) places.splice(0, 2);
  places.push(space, offset);
}

/** Whether a dump at this place has the explanation of an earlier trap in the same function. */
export function isExplainedNearby(program: Program, at: Address): boolean {
  return isNearExplained(program, at, SAME_FUNCTION);
}

/**
 * Whether the registers of a dump at this place move as those of a copy that overran its data: the place lies in a library, in the same
 * function as an earlier explained trap. Such a copy also faults in the middle of a page, so its place alone does not explain it.
 */
export function areRegistersExplained(program: Program, at: Address): boolean {
  const file = at.space > 0 ? program.spaces?.[at.space - 1]?.file : undefined;
  return file !== undefined && isLibrary(file) && isNearExplained(program, at, LIBRARY_FUNCTION);
}

function isNearExplained(program: Program, { space, offset }: Address, reach: number): boolean {
  const places = program.memory?.get(MEMORY);
  if (places === undefined) return false;
  for (let i = 0; i < places.length; i += 2)
    if (places[i] === space && Math.abs((places[i + 1] as number) - offset) <= reach) return true;
  return false;
}
