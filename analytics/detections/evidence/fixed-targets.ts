import type { KernelTrap } from '#schemas/events/event.ts';
import { toAddress } from '../state/address.ts';
import type { Program } from '../state/program.ts';
import { ruleMemory } from '../state/rule-memory.ts';
import { type PlacedFault, wholePlace } from './placed-faults.ts';

/*
 * Jump targets that are the same in every execution and that no attacker chooses:
 *
 * - Pages in which the kernel offers functions to old programs. If the kernel no longer offers them, each call fails.
 * - The data of a program at a fixed address, which a broken pointer of the program refers to. The page is mapped, but
 *   not executable.
 *
 * An attacker gains nothing from either: such a jump fails in every layout.
 */

/**
 * Functions of the vsyscall page of x86-64 (`gettimeofday`, `time`, `getcpu`), and of the vector page of 32-bit ARM
 * (64-bit and 32-bit exchange, barrier, thread pointer).
 */
const KERNEL_FUNCTIONS: ReadonlySet<string> = new Set(
  [
    0xffff_ffff_ff60_0000n,
    0xffff_ffff_ff60_0400n,
    0xffff_ffff_ff60_0800n,
    0xffff_0f60,
    0xffff_0fa0,
    0xffff_0fc0,
    0xffff_0fe0,
  ].map((address) => wholePlace(toAddress(address))),
);

/** Upper bound of programs at a fixed address. Attackers spray data at addresses above it. */
const END_OF_FIXED = 0x0a00_0000;
const MEMORY = 'jumps-to-own-data';
const MAX_TARGETS = 8;

/** Records the target of a jump if it lies in data at a fixed address. */
export function noteFixedTarget(program: Program, { ip, errcode }: KernelTrap): void {
  const { space, offset } = toAddress(ip);
  if (errcode.reason !== 'ProtectionFault' || space !== 0 || offset >= END_OF_FIXED) return;
  const targets = ruleMemory(program, MEMORY);
  if (targets.includes(offset)) return;
  if (targets.length >= MAX_TARGETS) targets.shift();
  targets.push(offset);
}

/** Returns true if every execution of the program has the target at this address. */
export function isFixedTarget({ memory }: Program, target: PlacedFault): boolean {
  if (KERNEL_FUNCTIONS.has(wholePlace(target))) return true;
  return target.space === 0 && memory?.get(MEMORY)?.includes(target.offset) === true;
}
