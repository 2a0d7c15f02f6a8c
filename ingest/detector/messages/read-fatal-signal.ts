/** The line that opens a fatal signal's dump (`print_fatal_signal` in kernel/signal.c). */
export interface FatalSignalMessage {
  readonly signal: number;
  /** What stands before it: empty (3.x to 6.5), `comm/pid` (2.6), `exe: comm` or `comm` (since 6.6). */
  readonly subject: string;
}

const MARK = 'potentially unexpected fatal signal ';
const HEADER = /^(?:([\s\S]*): )?potentially unexpected fatal signal (\d{1,4})\.\s*$/;

/** A cheap look before the pattern. */
export function maybeFatalSignal(text: string): boolean {
  return text.includes(MARK);
}

/** Reads the line that a dump follows; null for other lines. */
export function readFatalSignal(text: string): FatalSignalMessage | null {
  const match = HEADER.exec(text);
  return match ? { signal: Number(match[2]), subject: (match[1] ?? '').trimStart() } : null;
}

/** Can a process of this name and id be the one the opening line speaks of? */
export function subjectFits(subject: string, comm: string, pid: string): boolean {
  if (subject === '' || subject === comm || subject === `${comm}/${pid}`) return true;
  // `exe: comm`; leading spaces of the name were left out of `comm`.
  const colon = subject.length - comm.length;
  return subject.endsWith(comm) && /: +$/.test(subject.slice(0, colon));
}

/** The best guess at name and id from the opening line alone, for a dump that was cut short right behind it. */
export function subjectParts(subject: string): { comm: string | null; pid: string | null } {
  const old = /^([\s\S]*)\/(\d+)$/.exec(subject);
  if (old) return { comm: old[1] as string, pid: old[2] as string };
  if (subject === '') return { comm: null, pid: null };
  // `exe: comm`: the two are mostly the same word; a name holds 15 bytes at most, so the split lies near the end.
  const half = (subject.length - 2) / 2;
  if (subject.slice(0, half) === subject.slice(half + 2) && subject.slice(half, half + 2) === ': ') {
    return { comm: subject.slice(0, half), pid: null };
  }
  const colon = subject.lastIndexOf(': ');
  return { comm: (colon < 0 ? subject : subject.slice(colon + 2)).trimStart(), pid: null };
}
