import type { FatalSignal, KernelTrap, U64 } from '#schemas/events/event.ts';
import { type Address, toBigInt } from './state/address.ts';
import type { Program } from './state/program.ts';
import { locateDump, locateTrap, type Mapping } from './state/program-spaces.ts';

/*
 * A detector that reads several sources sends one event per crash: a trap with the signal and the registers of its
 * dump, or a fatal signal with the mapping of its instruction pointer. These fields are additions to the format, and no
 * schema validates them. The functions below therefore check each one.
 */

/** Returns the fatal signal that a trap event contains, or undefined if it contains none. */
export function dumpOfTrap(trap: KernelTrap): FatalSignal | undefined {
  const { signal, stack_dump: dump } = trap as { readonly signal?: unknown; readonly stack_dump?: unknown };
  if (typeof signal !== 'string' || typeof dump !== 'object' || dump === null || Array.isArray(dump)) return undefined;
  const registers = Object.fromEntries(Object.entries(dump).filter(([, value]) => typeof value === 'string'));
  return {
    type: 'LinuxFatalSignal',
    facility: trap.facility,
    level: trap.level,
    signal: signal as FatalSignal['signal'],
    stack_dump: registers as Record<string, string>,
  };
}

/**
 * Locates the instruction pointer of a fatal signal: in the mapping that the event contains, else where `locateDump`
 * finds it.
 */
export function locateSignal(program: Program, mapping: Mapping | undefined, pointer: Address): Address {
  if (mapping === undefined) return locateDump(program, pointer);
  return locateTrap(program, pointer.space === 0 ? pointer.offset : toBigInt(pointer), mapping);
}

/** Returns the mapping of the instruction pointer that a trace adds to a fatal signal. */
export function mappingOfSignal(signal: FatalSignal): Mapping | undefined {
  const { file, vmastart, vmasize } = signal as Readonly<Record<string, unknown>>;
  if (typeof file !== 'string' || !isAddress(vmastart) || !isAddress(vmasize)) return undefined;
  return { file, vmastart, vmasize };
}

function isAddress(value: unknown): value is U64 {
  return typeof value === 'bigint' ? value >= 0n : Number.isSafeInteger(value) && (value as number) >= 0;
}
