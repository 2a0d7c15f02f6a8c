import { eightDigits, isDigit, nonDigits } from './numbers';

/*
 * Times such as `2026-03-01T08:15:30.000000001Z`: UTC or with an offset, with up to nine fraction digits. The host reads
 * all other times, and those near the ends of the supported range.
 */

export let seconds: i64 = 0;
export let nanos: u32 = 0;

const ZERO: u8 = 48;
const POINT: u8 = 46;
const COLON: u8 = 58;
const HYPHEN: u8 = 45;
const PLUS: u8 = 43;
const DATE_BYTES: usize = 10;
const TIME_MARK: u8 = 84;
const UTC_MARK: u8 = 90;
const FIRST_YEAR: u32 = 1901;
const LAST_YEAR: u32 = 2261;
const NO_NUMBER: u32 = 255;
const SECONDS_A_DAY: i64 = 86400;

/** The ten bytes of the cached date, and the seconds from the epoch to its start. */
let cachedFirst: u64 = 0;
let cachedLast: u16 = 0;
let midnight: i64 = 0;

/** Returns false for a text that it does not read, and otherwise sets `seconds` and `nanos`. */
export function readTime(from: usize, size: usize): bool {
  if (size < 20) return false;
  if (load<u8>(from + DATE_BYTES) !== TIME_MARK) return false;
  if (load<u8>(from + 13) !== COLON || load<u8>(from + 16) !== COLON) return false;
  const hour = twoDigits(from + 11);
  const minute = twoDigits(from + 14);
  const second = twoDigits(from + 17);
  // The host decides whether a 60th second is a leap second.
  if (hour > 23 || minute > 59 || second > 59 || !readDate(from)) return false;
  const zone = readFraction(from + 19, from + size);
  if (zone === 0) return false;
  if (load<u8>(zone) === UTC_MARK) {
    if (zone + 1 !== from + size) return false;
    seconds = midnight + (hour * 3600 + minute * 60 + second);
    return true;
  }
  const sign = load<u8>(zone);
  if ((sign !== PLUS && sign !== HYPHEN) || zone + 6 !== from + size || load<u8>(zone + 3) !== COLON) return false;
  const hours = twoDigits(zone + 1);
  const minutes = twoDigits(zone + 4);
  if (hours > 23 || minutes > 59) return false;
  const offset: i64 = hours * 3600 + minutes * 60;
  seconds = midnight + (hour * 3600 + minute * 60 + second) - (sign === PLUS ? offset : -offset);
  return true;
}

/** Sets `nanos`. Returns the end of the fraction, or 0 if it is not read. */
function readFraction(from: usize, to: usize): usize {
  nanos = 0;
  if (load<u8>(from) !== POINT) return from;
  let at = from + 1;
  let weight: u32 = 100000000;
  const first = load<u64>(at);
  if (nonDigits(first) === 0) {
    nanos = (eightDigits(first) as u32) * 10;
    at += 8;
    weight = 1;
  }
  for (; at < to && isDigit(load<u8>(at)); at += 1) {
    if (weight === 0) return 0;
    nanos += ((load<u8>(at) - ZERO) as u32) * weight;
    weight /= 10;
  }
  return at === from + 1 || at >= to ? 0 : at;
}

/** Sets `midnight`. */
function readDate(from: usize): bool {
  const first = load<u64>(from);
  const last = load<u16>(from + 8);
  if (first === cachedFirst && last === cachedLast) return true;
  if (load<u8>(from + 4) !== HYPHEN || load<u8>(from + 7) !== HYPHEN) return false;
  const century = twoDigits(from);
  const yearOfCentury = twoDigits(from + 2);
  const month = twoDigits(from + 5);
  const day = twoDigits(from + 8);
  if (century === NO_NUMBER || yearOfCentury === NO_NUMBER) return false;
  const year = century * 100 + yearOfCentury;
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12) return false;
  if (day < 1 || day > daysIn(year, month)) return false;
  midnight = daysSinceEpoch(year as i64, month as i64, day as i64) * SECONDS_A_DAY;
  cachedFirst = first;
  cachedLast = last;
  return true;
}

/** Returns `NO_NUMBER` if one of the two bytes is no digit. */
function twoDigits(at: usize): u32 {
  const tens = load<u8>(at);
  const ones = load<u8>(at + 1);
  if (!isDigit(tens) || !isDigit(ones)) return NO_NUMBER;
  return ((tens - ZERO) as u32) * 10 + ((ones - ZERO) as u32);
}

function daysIn(year: u32, month: u32): u32 {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** As in `schemas/events/timestamp.ts`. Years are positive, so divisions round down. */
function daysSinceEpoch(year: i64, month: i64, day: i64): i64 {
  const y = month <= 2 ? year - 1 : year;
  const era = y / 400;
  const yearOfEra = y - era * 400;
  const dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
  return era * 146097 + dayOfEra - 719468;
}
