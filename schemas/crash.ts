/**
 * What counts as one crash, wherever crashes are counted: a trap line, a dump of a fatal signal that the program caused itself, or both of
 * them when the kernel prints both for the same process. The report of the same crash by another source, such as the journal, is no crash of its
 * own. Signals that another process sent (SIGTERM, say) are not crashes.
 */

/** Signals of a fault of the program itself. Others, but for the abort, are sent to it. */
export const FAULT_SIGNALS = ['SIGSEGV', 'SIGILL', 'SIGBUS', 'SIGTRAP', 'SIGFPE'] as const;

/** The program aborted. The kernel prints no trap line for it. */
export const ABORT_SIGNAL = 'SIGIOT';

/** Reports of the same process are one crash when they are at most this far apart: a trap line, a dump, and those of other sources. */
export const SAME_CRASH_SECONDS = 2;
