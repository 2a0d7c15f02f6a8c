import { monthNumber, toRfc3339 } from './calendar-time.ts';
import { bareLine, type KernelLine } from './kernel-line.ts';
import { readIsoTime } from './read-clock-line.ts';
import { takeUptime } from './read-syslog-line.ts';

/** Kernels of Amlogic devices print the processor after the time (`@1`). */
const UPTIME = /^\[ *(\d{1,9})\.(\d{1,9})(?:@\d{1,3})?(?: <[ \d.+]*>)? ?\] ?/;
const CLOCK = /^\[([^\]]{10,60})\] /;
const CLOCK_PARTS = /(\d{1,2}):(\d{2}):(\d{2})\b/;
/**
 * Kernels of HiSilicon devices print time, process and processor before each message. The process is used as the
 * caller.
 */
const HISILICON =
  /^(?:\[\d{4}:\d{2}:\d{2} \d{2}:\d{2}:\d{2}\])?\[pid:(\d{1,10}),cpu\d{1,3},[\s\S]{0,15}?(?:,in irq)?\]/;
// printk pads the id to six characters inside the brackets, so a process named `[T1]` does not match.
const CALLER = /^(?: ?\[(?= *[TC]\d+\])([ TC\d]{6,})\] )/;

/**
 * Reads lines of the console and of `dmesg`. Supported are `[   12.345678]`, with a delta (`[   12.345678 <
 * 0.000010>]`), and with a caller id after it (`[    T123]`, `[    C0]`). Also supported is `dmesg -T`
 * (`[Fri Jan  5 10:11:12 2024] text`), read as UTC in the languages of `monthNumber`. In other languages, the line gets the time of the previous line. `dmesg --notime` prints only the caller id.
 */
export function readBracketLine(raw: string): KernelLine | null {
  const uptime = UPTIME.exec(raw);
  if (uptime) {
    const line = bareLine(raw.slice(uptime[0].length));
    const fraction = (uptime[2] as string).padEnd(6, '0');
    line.monotonicUs = Number(uptime[1]) * 1e6 + Number(fraction.slice(0, 6));
    takeCaller(line);
    return line;
  }
  const clock = CLOCK.exec(raw);
  const time = clock && CLOCK_PARTS.exec(clock[1] as string);
  if (!clock || !time) return readCallerAlone(raw);
  const line = bareLine(raw.slice(clock[0].length));
  line.realtime = readIsoTime(clock[1] as string);
  // Terminal programs write such a time before the uptime that the kernel printed.
  if (line.realtime === null) line.realtime = readClock(clock[1] as string, time);
  else takeUptime(line);
  takeCaller(line);
  return line;
}

function readCallerAlone(raw: string): KernelLine | null {
  const line = bareLine(raw);
  takeCaller(line);
  return line.caller === null ? null : line;
}

/** Takes the id of the caller off the text, where the kernel prints it. */
export function takeCaller(line: KernelLine): void {
  const code = line.text.charCodeAt(0);
  if (code !== 91 && code !== 32) return;
  const caller = CALLER.exec(line.text);
  if (caller) {
    line.caller = (caller[1] as string).trim();
    line.text = line.text.slice(caller[0].length);
    return;
  }
  const hisilicon = HISILICON.exec(line.text);
  if (!hisilicon) return;
  line.caller = `T${hisilicon[1]}`;
  line.text = line.text.slice(hisilicon[0].length);
}

function readClock(text: string, time: RegExpExecArray): string | null {
  const words = text
    .replace(time[0], ' ')
    .split(/[\s,]+/)
    .filter((word) => word !== '');
  const year = words.find((word) => /^\d{4}年?$/.test(word));
  const dayAt = words.findIndex((word) => /^\d{1,2}[.日]?$/.test(word));
  if (year === undefined || dayAt < 0) return null;
  // The month is next to the day: before it in most languages, after it in others. The weekday never follows the day.
  for (const word of [words[dayAt - 1], words[dayAt + 1]]) {
    const month = word === undefined || /^\d{4}/.test(word) ? null : monthNumber(word);
    if (month === null) continue;
    return toRfc3339({
      year: Number.parseInt(year, 10),
      month,
      day: Number.parseInt(words[dayAt] as string, 10),
      hour: Number(time[1]),
      minute: Number(time[2]),
      second: Number(time[3]),
      fraction: '',
      zone: 'Z',
    });
  }
  return null;
}
