import { toAddress } from '../state/address.ts';
import type { Program } from '../state/program.ts';
import { baseOf } from '../state/program-spaces.ts';
import { ruleMemory } from '../state/rule-memory.ts';
import type { RecordedCrash } from './crash-places.ts';
import { isCandidate, stackOf } from './unmapped-places.ts';

const MEMORY = 'layouts';
/** Maximum number of compared crashes, the latest. Fewer than `MIN_CRASHES` allow no conclusion. */
const MAX_CRASHES = 32;
const MIN_CRASHES = 8;
/**
 * Maximum share of crashes with the same base. Children of one parent and programs at a fixed address have one base per
 * file.
 */
const MAX_SHARE = 0.5;

/** Deletes the stored layouts of the program. */
export function forgetLayouts({ memory }: Program): void {
  memory?.delete(MEMORY);
}

/**
 * Start of the range of main-thread stacks on x86-64. Each execution draws one of 2^22 pages. Stacks of other threads
 * lie between the libraries.
 */
const MAIN_STACKS = 0x7ff0_0000_0000;
/** Much larger than the depth of a stack, and a small part of the range. */
const STACK_UNIT = 2 ** 26;
const STACK_STEPS = 2 ** 14;

/**
 * Records the page at which the file of the crash was mapped, and the position of the stack. The stack also differs in
 * each execution of programs at a fixed address. Returns true if the recorded layouts changed. They do not change while
 * an attack on children of one parent continues, because their layout is the same in each crash. For a crash without a
 * file, only the stack is known.
 */
export function noteLayout(program: Program, crash: RecordedCrash): boolean {
  const layout = layoutOf(program, crash);
  if (layout === undefined) return false;
  const bases = ruleMemory(program, MEMORY);
  const forgotten = bases.length >= MAX_CRASHES ? bases.shift() : undefined;
  bases.push(layout);
  return layout !== forgotten;
}

function layoutOf(program: Program, crash: RecordedCrash): number | undefined {
  const { at, trap } = crash;
  if (at.space <= 0) return isCandidate(program, crash) ? stackOf(crash) % STACK_STEPS : undefined;
  if (trap === undefined) return undefined;
  const base = baseOf(program, at.space);
  const sp = toAddress(trap.sp);
  const stack = sp.space === 0 && sp.offset >= MAIN_STACKS ? Math.floor((sp.offset - MAIN_STACKS) / STACK_UNIT) : 0;
  return (Math.floor(base.offset / 4_096) - base.space) * STACK_STEPS + stack;
}

/** Returns true if too few crashes are recorded to judge their layouts. */
export function areLayoutsUnknown({ memory }: Program): boolean {
  return (memory?.get(MEMORY)?.length ?? 0) < MIN_CRASHES;
}

/**
 * Returns true if most recorded crashes had different memory layouts, as executions of a position-independent program
 * do. An attacker can then choose only the lowest bits of a place in its text. A scan of the text needs one layout.
 */
export function hasVaryingLayouts({ memory }: Program): boolean {
  const bases = memory?.get(MEMORY) ?? [];
  return bases.length >= MIN_CRASHES && new Set(bases).size > bases.length * MAX_SHARE;
}

/**
 * Returns true if most recorded crashes had their file at different addresses. False for programs at a fixed address,
 * whose text an attacker can target in each execution.
 */
export function hasVaryingBases({ memory }: Program): boolean {
  const bases = memory?.get(MEMORY) ?? [];
  const pages = new Set(bases.map((base) => Math.floor(base / STACK_STEPS)));
  return bases.length >= MIN_CRASHES && pages.size > bases.length * MAX_SHARE;
}
