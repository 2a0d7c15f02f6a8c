import type { KernelLine } from '../lines/kernel-line.ts';
import type { UnreadFault } from '../messages/unread-fault.ts';
import { PROGRAM_MESSAGE_MARK, readProgramMessage } from './program-message.ts';
import { readAuditAbend } from './read-audit-abend.ts';
import { pidOfCoreDump, readCoreDumpText } from './read-core-dump-text.ts';
import { readGrsecuritySignal } from './read-grsecurity-signal.ts';
import { readJournalWitness, type WitnessLine } from './read-journal-witness.ts';
import { readWslCrash } from './read-wsl-crash.ts';
import type { Witness } from './witness.ts';

/** Pre-check that avoids the regular expressions below for most lines. */
const MARKS = new RegExp(`${PROGRAM_MESSAGE_MARK}|COREDUMP_PID|ANOM_ABEND| systemd-coredump\\[`);
/** Tag of a program in syslog and in the short forms of the journal. */
const TAGGED = new RegExp(` ([^\\s[\\]:]{1,64})\\[(\\d{1,10})\\]: (?=.{0,1500}(?:${PROGRAM_MESSAGE_MARK}))`);

/** Tag of systemd-coredump. */
const CORE_DUMP_TAG = /(?:^| )systemd-coredump\[\d{1,10}\]: (?=.{0,8}Process \d)/;

/**
 * Reads a log line that is not from the kernel: the journal as JSON, or syslog. Returns null if it does not report a
 * crash. `readKernelLine` reads the time and host before a syslog tag.
 */
export function readWitnessLine(raw: string, readKernelLine: (raw: string) => KernelLine | null): WitnessLine | null {
  if (!MARKS.test(raw)) return null;
  const journal = readJournalWitness(raw);
  if (journal) return journal;
  if (CORE_DUMP_TAG.test(raw)) return readCoreDumpLine(raw, readKernelLine);
  const tag = TAGGED.exec(raw);
  if (!tag) return null;
  const line = readKernelLine(raw.replace(TAGGED, ' kernel: '));
  const kind = line && readProgramMessage(line.text);
  if (!line || !kind) return null;
  // Messages of programs never get the facility of the kernel.
  line.facility ||= 1;
  return { witness: { kind, signal: 6, pid: Number(tag[2]), comm: (tag[1] as string).slice(0, 15) }, line };
}

function readCoreDumpLine(raw: string, readKernelLine: (raw: string) => KernelLine | null): WitnessLine | null {
  const line = readKernelLine(raw.replace(CORE_DUMP_TAG, ' kernel: '));
  const witness = line && readCoreDumpText(line.text);
  if (!line || !witness) return null;
  line.facility ||= 1;
  return { witness, line };
}

/** The journal forwards messages to the kernel log if configured, and before it has started. */
const LOGGED_CORE_DUMP = /^(?:\S{1,255} )?systemd-coredump\[\d{1,10}\]: /;

function readLoggedCoreDump(text: string): Witness | null {
  const tag = text.includes('systemd-coredump[') ? LOGGED_CORE_DUMP.exec(text) : null;
  return tag && readCoreDumpText(text.slice(tag[0].length));
}

/**
 * Reads a report of systemd-coredump that contains neither the signal nor how the process ended. Returns null for other
 * lines.
 */
export function readUnreadCoreDump(raw: string): UnreadFault | null {
  const tag = raw.includes('systemd-coredump[') ? CORE_DUMP_TAG.exec(raw) : null;
  const pid = tag && pidOfCoreDump(raw.slice(tag.index + tag[0].length));
  return pid === null ? null : { form: 'core dump without a signal', pid };
}

/**
 * Reads a crash report in the kernel log that is not from the kernel's fault handlers, or in auditd's log, which has
 * its own times.
 */
export function readKernelWitness(line: KernelLine): WitnessLine | null {
  const report = readGrsecuritySignal(line.text) ?? readWslCrash(line.text) ?? readLoggedCoreDump(line.text);
  if (report) return { witness: report, line };
  const audit = readAuditAbend(line.text);
  if (!audit) return null;
  const own = line.realtime === null && line.monotonicUs === null;
  const realtime = own ? new Date(audit.timeMs).toISOString() : line.realtime;
  return { witness: audit.witness, line: { ...line, realtime, hostname: line.hostname ?? audit.hostname } };
}
