import { FATAL_SIGNALS } from '#schemas/events/versions/v1.ts';

export type FatalSignalName = (typeof FATAL_SIGNALS)[number];

/**
 * Returns the name of a signal number on x86 and arm64 (include/uapi/asm-generic/signal.h). The enumeration of the
 * format is that list in order, 1 to 30, with 6 as SIGIOT (SIGABRT is the same number). Returns null for 31 (SIGSYS)
 * and real-time signals (32 to 64), which have no name in the format.
 */
export function signalName(number: number): FatalSignalName | null {
  return FATAL_SIGNALS[number - 1] ?? null;
}
