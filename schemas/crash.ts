/**
 * Definition of a crash, used wherever crashes are counted. A crash is a trap line, or a dump of a fatal signal that
 * the program caused itself, or both if the kernel prints both for the same process. A report of the same crash by
 * another source, such as the journal, does not count again. Signals from another process (such as SIGTERM) are not
 * crashes.
 */

/** Signals that a fault of the program raises. All other signals, except the abort, come from outside. */
export const FAULT_SIGNALS = ['SIGSEGV', 'SIGILL', 'SIGBUS', 'SIGTRAP', 'SIGFPE'] as const;

/** The signal of an abort. The kernel prints no trap line for it. */
export const ABORT_SIGNAL = 'SIGIOT';

/**
 * Reports about the same process (trap line, dump, other sources) belong to one crash if they are at most this far
 * apart.
 */
export const SAME_CRASH_SECONDS = 2;
