import { fromEpochUs, guessYear, monthNumber, toRfc3339 } from './calendar-time.ts';
import { bareLine, type KernelLine } from './kernel-line.ts';

/** `strftime` of `%b%e %H:%M`, so a day of two digits follows the month at once. */
const MINUTE = /^\[(\p{L}{3,5}\.?|\d{1,2}月) {0,2}(\d{1,2}) (\d{2}):(\d{2})\] /u;
const DISTANCE = /^\[ *\+(\d{1,9})\.(\d{1,6})\] /;
const MINUTE_US = 60e6;

/** Reads lines of `dmesg --reltime` and `dmesg --human` in their order. */
interface RelativeClock {
  /** The line with its time and whatever follows the time; null for a line of another form. */
  read(raw: string): KernelLine | null;
}

/**
 * A clock for `dmesg --reltime`: a line names the minute when it changes (`[Jan 5 10:11] text`), else the distance from the line before (`[  +0.000012] text`).
 * The seconds of the first minute are unknown and count as 0. Distances between lines are exact, but for the lines that begin a minute. Before the first minute,
 * times count from the first line.
 */
export function createRelativeClock(referenceMs: number): RelativeClock {
  /** Microseconds since the epoch, or since the first line while no minute is known. */
  let now: number | undefined;
  let isMinuteKnown = false;

  function readMinute(raw: string, minute: RegExpExecArray): KernelLine {
    const line = bareLine(raw.slice(minute[0].length));
    line.realtime = minuteOf(minute, referenceMs);
    if (line.realtime === null) return line;
    const start = Date.parse(line.realtime) * 1000;
    const isWithin = isMinuteKnown && now !== undefined && now > start && now < start + MINUTE_US;
    if (isWithin) line.realtime = fromEpochUs(now as number);
    else now = start;
    isMinuteKnown = true;
    return line;
  }

  return {
    read(raw) {
      const minute = MINUTE.exec(raw);
      if (minute) return readMinute(raw, minute);
      const distance = DISTANCE.exec(raw);
      if (!distance) return null;
      const line = bareLine(raw.slice(distance[0].length));
      now = now === undefined ? 0 : now + Number(distance[1]) * 1e6 + Number((distance[2] as string).padEnd(6, '0'));
      if (isMinuteKnown) line.realtime = fromEpochUs(now);
      else line.monotonicUs = now;
      return line;
    },
  };
}

function minuteOf(match: RegExpExecArray, referenceMs: number): string | null {
  const month = monthNumber(match[1] as string);
  if (month === null) return null;
  const [day, hour, minute] = match.slice(2, 5).map(Number) as [number, number, number];
  const year = guessYear(month, day, referenceMs);
  return toRfc3339({ year, month, day, hour, minute, second: 0, fraction: '', zone: 'Z' });
}
