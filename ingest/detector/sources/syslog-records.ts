/** A line from syslog(2) if printk.time is on: `<6>[   12.345678][    T1] text`. */
const LINE = /^<(\d{1,4})>\[ *(\d{1,9})\.(\d{6})\](?:\[ *([TC]\d{1,10})\])? ?/;

/**
 * Numbers available for records of the same microsecond. If there are more records, they continue into the numbers of
 * the next microsecond.
 */
const NUMBERS_PER_MICROSECOND = 16;

const BACKSLASH = 92;

/** The log has no times, which are needed to recognise records. */
export class NoTimesError extends Error {
  override readonly name = 'NoTimesError';

  constructor() {
    super('the kernel log has no times, which --from syslog needs: echo Y > /sys/module/printk/parameters/time');
  }
}

/**
 * Creates a converter from lines of syslog(2) to the format of /dev/kmsg. The number of a record is derived from its
 * time, so that it is the same when the record is read again after a restart. Call it with every line of the log, in
 * order.
 */
export function createRecordConverter(): (line: Buffer) => { readonly seq: number; readonly record: string } {
  let last = -1;
  return (line) => {
    const match = LINE.exec(line.toString('latin1', 0, Math.min(line.length, 64)));
    if (!match) throw new NoTimesError();
    const [prefix, priority, seconds, micros, caller] = match as unknown as [string, string, string, string, string?];
    const timeUs = Number(seconds) * 1e6 + Number(micros);
    last = Math.max(last + 1, timeUs * NUMBERS_PER_MICROSECOND);
    const origin = caller === undefined ? '' : `,caller=${caller}`;
    return { seq: last, record: `${priority},${last},${timeUs},-${origin};${escaped(line.subarray(prefix.length))}` };
  };
}

/** Escapes control characters, backslashes and bytes above 126 as `\xNN`, as /dev/kmsg does. */
function escaped(text: Buffer): string {
  if (!text.some(needsEscape)) return text.toString('latin1');
  let result = '';
  for (const byte of text)
    result += needsEscape(byte) ? `\\x${byte.toString(16).padStart(2, '0')}` : String.fromCharCode(byte);
  return result;
}

function needsEscape(byte: number): boolean {
  return byte < 32 || byte > 126 || byte === BACKSLASH;
}
