import type { KernelTrap } from '#schemas/events/event.ts';
import { toAddress } from '../state/address.ts';
import type { Program } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';
import { PAGE_BITS, stackNumber } from './placed-faults.ts';

/*
 * Where the kernel loads position-independent programs of x86-64, with the heap behind them. Libraries, plug-ins, stacks
 * and large blocks of memory lie elsewhere. A pointer of a program to its own code or heap leads to mapped memory in
 * every layout. It leads to unmapped memory of this area if its middle bytes were changed and its high bytes were kept.
 * That is what an overflow leaves that ends inside the pointer: an attacker who does not know the layout keeps the bytes
 * that randomisation changes, and guesses the others.
 */
const AREA = { from: 0x5500_0000_0000, to: 0x5700_0000_0000 } as const;

/** Jumps to unmapped memory of the area, as flat numbers: seconds, offset in the page, stack. The oldest is dropped first. */
const MEMORY = 'missed-program';
const FIELDS = 3;
const MAX_JUMPS = 32 * FIELDS;

/** Records the jump if it missed the program. */
export function noteMissed(program: Program, { ip, sp, errcode }: KernelTrap, seconds: number): void {
  const { space, offset } = toAddress(ip);
  if (errcode.reason !== 'NoPageFound' || space !== 0 || offset < AREA.from || offset >= AREA.to) return;
  const jumps = ruleMemory(program, MEMORY);
  if (jumps.length >= MAX_JUMPS) jumps.splice(0, FIELDS);
  jumps.push(seconds, offset % 2 ** PAGE_BITS, stackNumber(toAddress(sp).offset));
}

/**
 * Returns true if executions with at least `minImages` layouts missed the program at one offset in the page. Links in
 * freed memory, which also lie in this area, have another offset in each layout.
 */
export function missesProgram({ memory }: Program, t: number, window: number, minImages: number): boolean {
  const jumps = memory?.get(MEMORY) ?? [];
  const layouts = new Map<number, Set<number>>();
  for (let i = 0; i < jumps.length; i += FIELDS) {
    if (Math.abs((jumps[i] as number) - t) > window) continue;
    const offset = jumps[i + 1] as number;
    const stacks = (layouts.get(offset) ?? new Set<number>()).add(jumps[i + 2] as number);
    if (stacks.size >= minImages) return true;
    layouts.set(offset, stacks);
  }
  return false;
}
