import { CANARY_FRAME } from './canary-frame.ts';
import type { Witness } from './witness.ts';

/**
 * systemd-coredump in syslog: `Process 7 (nginx) of user 33 terminated abnormally with signal 6/ABRT, processing...` (since 254), and `Process 7 (nginx) of user
 * 33 dumped core.` with the stack behind it, in which syslog daemons write line ends as `#012`.
 */
const REPORT =
  /^(?:\[\S{1,4}\] )?Process (\d{1,10}) \(([\s\S]{1,15})\) of user (\d{1,10}) (?:terminated abnormally with signal (\d{1,2})\/|dumped core\.)/;
const ABORT = 6;

/** Reads a message of systemd-coredump. Null for other text, and for a report that names neither the signal nor the canary. */
export function readCoreDumpText(text: string): Witness | null {
  const match = REPORT.exec(text);
  if (!match) return null;
  const isCanary = match[4] === undefined && CANARY_FRAME.test(text);
  if (match[4] === undefined && !isCanary) return null;
  return {
    kind: isCanary ? 'stack-smashing' : 'core-dump',
    signal: isCanary ? ABORT : Number(match[4]),
    pid: Number(match[1]),
    comm: match[2] as string,
    process: { uid: Number(match[3]) },
  };
}
