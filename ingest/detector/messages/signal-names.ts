import { FATAL_SIGNALS } from '#schemas/events/versions/v1.ts';

export type FatalSignalName = (typeof FATAL_SIGNALS)[number];

/**
 * The name of a signal number on x86 and arm64 (include/uapi/asm-generic/signal.h): the enumeration of the format is that list
 * in order, 1 to 30, with 6 as SIGIOT (SIGABRT is the same number). 31 (SIGSYS) and the real-time signals (32 to 64) have no
 * name in the format: null.
 */
export function signalName(number: number): FatalSignalName | null {
  return FATAL_SIGNALS[number - 1] ?? null;
}
