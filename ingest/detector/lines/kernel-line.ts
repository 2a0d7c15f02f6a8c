/** One line of a kernel log, whatever program wrote it down. Everything but the text may be unknown. */
export interface KernelLine {
  /** The message alone: no time, no caller, no syslog wrapper; may start with a space when it continues another message. */
  text: string;
  /** syslog severity, 0 (emergency) to 7 (debug). */
  level: number | null;
  /** syslog facility, 0 (kern) to 23. */
  facility: number | null;
  /** Microseconds since boot. */
  monotonicUs: number | null;
  /** RFC 3339 with every digit the source has, when the source knows the wall clock. Always a valid instant. */
  realtime: string | null;
  /** Sequence number of the kernel's ring buffer. */
  seq: number | null;
  /** `T<tid>` or `C<cpu>`, from kernels built with printk caller ids; separates interleaved dumps. */
  caller: string | null;
  hostname: string | null;
}

/** A line of which only the text is known. Every reader starts from this. */
export function bareLine(text: string): KernelLine {
  return {
    text,
    level: null,
    facility: null,
    monotonicUs: null,
    realtime: null,
    seq: null,
    caller: null,
    hostname: null,
  };
}

/** Names of the facilities of the format and of the levels, as `dmesg -x` and others print them, by number. */
export const FACILITIES: readonly string[] = 'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp'.split(
  ' ',
);
export const LEVELS: readonly string[] = 'emerg alert crit err warn notice info debug'.split(' ');

/** Takes a syslog priority apart (RFC 5424: facility * 8 + severity). */
export function setPriority(line: KernelLine, priority: number): void {
  line.level = priority & 7;
  line.facility = priority >> 3;
}
