/** The first line of a fatal signal dump (`print_fatal_signal` in kernel/signal.c). */
export interface FatalSignalMessage {
  readonly signal: number;
  /** Text before the message: empty (3.x to 6.5), `comm/pid` (2.6), `exe: comm` or `comm` (since 6.6). */
  readonly subject: string;
}

const MARK = 'potentially unexpected fatal signal ';
const HEADER = /^(?:([\s\S]*): )?potentially unexpected fatal signal (\d{1,4})\.\s*$/;

/** Fast pre-check before the regular expression. */
export function maybeFatalSignal(text: string): boolean {
  return text.includes(MARK);
}

/** Reads the line that precedes a dump. Returns null for other lines. */
export function readFatalSignal(text: string): FatalSignalMessage | null {
  const match = HEADER.exec(text);
  return match ? { signal: Number(match[2]), subject: (match[1] ?? '').trimStart() } : null;
}

/** Returns true if the first line can refer to a process of this name and id. */
export function subjectFits(subject: string, comm: string, pid: string): boolean {
  if (subject === '' || subject === comm || subject === `${comm}/${pid}`) return true;
  // `exe: comm`. Leading spaces of the name are missing in `comm`.
  const colon = subject.length - comm.length;
  return subject.endsWith(comm) && /: +$/.test(subject.slice(0, colon));
}

/** Guesses name and id from the first line only, for a dump that ends after it. */
export function subjectParts(subject: string): { comm: string | null; pid: string | null } {
  const old = /^([\s\S]*)\/(\d+)$/.exec(subject);
  if (old) return { comm: old[1] as string, pid: old[2] as string };
  if (subject === '') return { comm: null, pid: null };
  // `exe: comm`: the two are usually equal. A name has at most 15 bytes, so the separator is near the end.
  const half = (subject.length - 2) / 2;
  if (subject.slice(0, half) === subject.slice(half + 2) && subject.slice(half, half + 2) === ': ') {
    return { comm: subject.slice(0, half), pid: null };
  }
  const colon = subject.lastIndexOf(': ');
  return { comm: (colon < 0 ? subject : subject.slice(colon + 2)).trimStart(), pid: null };
}
