import { asciiText } from '../../json/ascii-text.ts';
import type { Instant } from '../accepted.ts';
import { parseTimestamp } from '../timestamp.ts';
import { fourDigits, isDigit } from './digits.ts';

/** Parses timestamps from bytes. It caches the last date, so each reader needs its own instance. */
export interface UtcTimes {
  /**
   * Returns the instant of a text such as `2026-03-01T08:15:30.000000001Z`, the form that Trapline's detector writes.
   * Returns undefined for any other text; the caller then uses `parseTimestamp`.
   */
  read(view: DataView, memory: Buffer, from: number, to: number): Instant | undefined;
}

/** Byte offsets of the parts of the text. */
const TIME_MARK = 10;
const HOUR = 11;
const MINUTE = 14;
const SECOND = 17;
const POINT = 19;
const FRACTION = 20;
const ZONE = 29;
const LENGTH = 30;

const CODE_OF_T = 84;
const CODE_OF_COLON = 58;
const CODE_OF_POINT = 46;
const CODE_OF_Z = 90;
const ZERO = 48;

/**
 * Less than a day before the end of the supported range. Later dates are left to `parseTimestamp`, which checks the
 * exact end.
 */
const LAST_DAY_SECONDS = 9_223_286_400;

/** Creates a parser that caches the parsed date. Events arrive almost in time order, so dates repeat. */
export function createUtcTimes(): UtcTimes {
  /** The ten bytes of the cached date, as three numbers. Zero never matches a date. */
  let first = 0;
  let second = 0;
  let third = 0;
  /** Seconds from the epoch to the start of the cached date; NaN if the date is invalid. */
  let midnight = Number.NaN;

  function midnightOf(view: DataView, memory: Buffer, from: number): number {
    const a = view.getInt32(from, true);
    const b = view.getInt32(from + 4, true);
    const c = view.getUint16(from + 8, true);
    if (a !== first || b !== second || c !== third) {
      const parsed = parseTimestamp(`${asciiText(memory, from, from + TIME_MARK)}T00:00:00Z`);
      midnight = parsed === undefined || parsed.seconds >= LAST_DAY_SECONDS ? Number.NaN : parsed.seconds;
      first = a;
      second = b;
      third = c;
    }
    return midnight;
  }

  return {
    read(view, memory, from, to) {
      if (to - from !== LENGTH || !hasMarks(view, from)) return undefined;
      const hour = twoDigits(view, from + HOUR);
      const minute = twoDigits(view, from + MINUTE);
      const second = twoDigits(view, from + SECOND);
      // A 60th second is a leap second or invalid; `parseTimestamp` decides.
      if (!(hour <= 23 && minute <= 59 && second <= 59)) return undefined;
      const upper = fourDigits(view.getInt32(from + FRACTION, true));
      const middle = fourDigits(view.getInt32(from + FRACTION + 4, true));
      const last = view.getUint8(from + FRACTION + 8);
      if (upper === -1 || middle === -1 || !isDigit(last)) return undefined;
      const day = midnightOf(view, memory, from);
      if (Number.isNaN(day)) return undefined;
      const nanos = upper * 100_000 + middle * 10 + (last - ZERO);
      return { seconds: day + hour * 3600 + minute * 60 + second, nanos };
    },
  };
}

function hasMarks(view: DataView, from: number): boolean {
  return (
    view.getUint8(from + TIME_MARK) === CODE_OF_T &&
    view.getUint8(from + HOUR + 2) === CODE_OF_COLON &&
    view.getUint8(from + MINUTE + 2) === CODE_OF_COLON &&
    view.getUint8(from + POINT) === CODE_OF_POINT &&
    view.getUint8(from + ZONE) === CODE_OF_Z
  );
}

/** Returns the number in two ASCII digits, or NaN. */
function twoDigits(view: DataView, at: number): number {
  const tens = view.getUint8(at);
  const ones = view.getUint8(at + 1);
  return isDigit(tens) && isDigit(ones) ? (tens - ZERO) * 10 + ones - ZERO : Number.NaN;
}
