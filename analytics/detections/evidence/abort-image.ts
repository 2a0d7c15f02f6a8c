import { type Address, parseRegister } from '../state/address.ts';
import { stackNumber } from './placed-faults.ts';

/**
 * A thread pointer below is in the data of the program or right behind it. If the program is not position-independent,
 * each execution has it there.
 */
const END_OF_PROGRAM = 2 ** 32;
/** Where Go before version 1.26 places its stacks in every execution. */
const GO_STACKS = { from: 0xc0_0000_0000, to: 0x100_0000_0000 } as const;
/** Bits of a stack number that distinguish images. */
const STACK_BITS = 2 ** 20;

/**
 * Returns the value that identifies the image of an abort: a fork keeps it, and an `execve` draws it again. It is the
 * thread pointer FS on x86-64 (0 in 32-bit programs, missing elsewhere), else the instruction pointer, else the stack
 * pointer. A thread pointer in the program itself identifies the image only together with the stack. Undefined if the
 * dump contains none of them, and `unidentified` if none of them changes with an `execve`, as in Go programs.
 */
export function imageOf(dump: Readonly<Record<string, string>>): Address | 'unidentified' | undefined {
  const fs = parseRegister(dump.FS);
  if (fs === undefined || (fs.space === 0 && fs.offset === 0))
    return parseRegister(dump.RIP ?? dump.pc ?? dump.RSP ?? dump.sp);
  if (isGoStack(fs)) return 'unidentified';
  if (fs.space !== 0 || fs.offset >= END_OF_PROGRAM) return fs;
  const sp = parseRegister(dump.RSP);
  if (sp === undefined) return fs;
  if (isGoStack(sp)) return 'unidentified';
  return { space: 0, offset: fs.offset * STACK_BITS + (stackNumber(sp.offset) % STACK_BITS) };
}

function isGoStack({ space, offset }: Address): boolean {
  return space === 0 && offset >= GO_STACKS.from && offset < GO_STACKS.to;
}
