import { CANARY_FRAME, isAborted, pointerOfStack } from './canary-frame.ts';
import type { Witness } from './witness.ts';

/**
 * Messages of systemd-coredump in syslog. Since 254: `Process 7 (nginx) of user 33 terminated abnormally with signal
 * 6/ABRT, processing...`. Also `Process 7 (nginx) of user 33 dumped core.` followed by the stack, in which syslog
 * daemons write line ends as `#012`.
 */
const REPORT =
  /^(?:\[\S{1,4}\] )?Process (\d{1,10}) \(([\s\S]{1,15})\) of user (\d{1,10}) (?:terminated abnormally with signal (\d{1,2})\/|dumped core\.)/;
const ABORT = 6;

/**
 * Reads a message of systemd-coredump. Returns null for other text. Also returns null if the report contains neither
 * the signal nor a stack of a process that aborted itself: see `pidOfCoreDump`.
 */
export function readCoreDumpText(text: string): Witness | null {
  const match = REPORT.exec(text);
  if (!match) return null;
  const isCanary = match[4] === undefined && CANARY_FRAME.test(text);
  if (match[4] === undefined && !isCanary && !isAborted(text)) return null;
  const pointer = pointerOfStack(text);
  return {
    kind: isCanary ? 'stack-smashing' : 'core-dump',
    signal: match[4] === undefined ? ABORT : Number(match[4]),
    pid: Number(match[1]),
    comm: match[2] as string,
    ...(pointer === null ? {} : { registers: { pc: pointer } }),
    process: { uid: Number(match[3]) },
  };
}

/** Returns the process id of any report of systemd-coredump; null for other text. */
export function pidOfCoreDump(text: string): number | null {
  const match = REPORT.exec(text);
  return match ? Number(match[1]) : null;
}
