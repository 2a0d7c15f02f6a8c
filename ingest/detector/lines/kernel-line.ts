/** One line of a kernel log in any format. Everything except the text may be unknown. */
export interface KernelLine {
  /**
   * The message without time, caller and syslog header. It may start with a space when it continues another message.
   */
  text: string;
  /** syslog severity, 0 (emergency) to 7 (debug). */
  level: number | null;
  /** syslog facility, 0 (kern) to 23. */
  facility: number | null;
  /** Microseconds since boot. */
  monotonicUs: number | null;
  /** RFC 3339 with all digits of the source, if the source has the wall clock. Always a valid instant. */
  realtime: string | null;
  /** Sequence number in the kernel's ring buffer. */
  seq: number | null;
  /** `T<tid>` or `C<cpu>`, from kernels built with printk caller ids. Separates interleaved dumps. */
  caller: string | null;
  hostname: string | null;
}

/** Returns a line with only the text set. All readers start from this. */
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

/** Names of syslog facilities by number, as `dmesg -x` and others print them. */
export const FACILITIES: readonly string[] = 'kern user mail daemon auth syslog lpr news uucp cron authpriv ftp'.split(
  ' ',
);
export const LEVELS: readonly string[] = 'emerg alert crit err warn notice info debug'.split(' ');

/** Decodes a syslog priority (RFC 5424: facility * 8 + severity). */
export function setPriority(line: KernelLine, priority: number): void {
  line.level = priority & 7;
  line.facility = priority >> 3;
}
