import { toAddress } from '../state/address.ts';
import type { Program } from '../state/program.ts';
import { baseOf } from '../state/program-spaces.ts';
import { ruleMemory } from '../state/rule-memory.ts';
import type { RecordedCrash } from './crash-places.ts';

const MEMORY = 'layouts';
/** So many latest crashes are compared; fewer than `MIN_CRASHES` say nothing. */
const MAX_CRASHES = 32;
const MIN_CRASHES = 8;
/** Children of one parent, and programs at a fixed address, have one base for each of their files. */
const MAX_SHARE = 0.5;

/** Forgets what was noted of the program. */
export function forgetLayouts({ memory }: Program): void {
  memory?.delete(MEMORY);
}

/** Stacks of main threads on x86-64 lie here, at one of 2^22 pages that each execution draws. Threads have theirs between the libraries. */
const MAIN_STACKS = 0x7ff0_0000_0000;
/** Much more than a stack is deep, and little of the range. */
const STACK_UNIT = 2 ** 26;
const STACK_STEPS = 2 ** 14;

/**
 * Notes where the file of the crash was mapped, by its page, and where the stack was: programs at a fixed address have another stack in each execution.
 * Returns whether other layouts are noted now. They are not when an attack on children of one parent goes on, whose layout is the same in each crash.
 */
export function noteLayout(program: Program, { at, trap }: RecordedCrash): boolean {
  if (trap === undefined || at.space <= 0) return false;
  const bases = ruleMemory(program, MEMORY);
  const forgotten = bases.length >= MAX_CRASHES ? bases.shift() : undefined;
  const base = baseOf(program, at.space);
  const sp = toAddress(trap.sp);
  const stack = sp.space === 0 && sp.offset >= MAIN_STACKS ? Math.floor((sp.offset - MAIN_STACKS) / STACK_UNIT) : 0;
  const layout = (Math.floor(base.offset / 4_096) - base.space) * STACK_STEPS + stack;
  bases.push(layout);
  return layout !== forgotten;
}

/**
 * Whether nearly every crash that was noted had a memory layout of its own, as executions of a position-independent program have. A place of its text is then
 * nothing that an attacker can choose, but for the lowest bits: a scan of the text needs one layout.
 */
export function isLaidOutAnew({ memory }: Program): boolean {
  const bases = memory?.get(MEMORY) ?? [];
  return bases.length >= MIN_CRASHES && new Set(bases).size > bases.length * MAX_SHARE;
}

/**
 * Whether nearly every crash that was noted had its file at another address. Not so for programs at a fixed address, whose text an attacker can aim at in each
 * execution.
 */
export function isMovedAnew({ memory }: Program): boolean {
  const bases = memory?.get(MEMORY) ?? [];
  const pages = new Set(bases.map((base) => Math.floor(base / STACK_STEPS)));
  return bases.length >= MIN_CRASHES && pages.size > bases.length * MAX_SHARE;
}
