import type { Axis } from 'uplot';
import { locale } from '../../language/numbers.ts';
import { dayText } from '../time/time-words.ts';
import { zoneName } from '../time/time-zone.ts';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
/**
 * Steps in seconds. Half and whole seconds are included, because an attack may last only a few seconds. The longest
 * steps are for plots of several years.
 */
export const STEPS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 5, 7, 10, 15, 30, 60, 90, 180, 365].map((days) => days * DAY),
];
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const HALF_YEAR = 180 * DAY;
const MONTH = { month: 'short', year: 'numeric' } as const;
const SECONDS = { ...CLOCK, second: '2-digit' } as const;
const FRACTIONS = { ...SECONDS, fractionalSecondDigits: 1 } as const;

/** A time axis with one line of labels, in the selected zone. */
export const TIME_AXIS: Axis = {
  size: 26,
  space: 84,
  grid: { show: false },
  incrs: STEPS,
  values: (_, splits, _axis, _space, step) => labelsOf(splits, step),
};

function labelsOf(splits: readonly number[], step: number): string[] {
  const timeZone = zoneName();
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale(), timeZone ? { ...options, timeZone } : options);
  if (step >= DAY)
    return splits.map((split) =>
      step >= HALF_YEAR ? format(MONTH).format(split * 1_000) : dayText(new Date(split * 1_000)),
    );
  const clock = format(step >= MINUTE ? CLOCK : step >= 1 ? SECONDS : FRACTIONS);
  return splits.map((split) =>
    step >= MINUTE && isMidnight(split) ? dayText(new Date(split * 1_000)) : clock.format(split * 1_000),
  );
}

function isMidnight(seconds: number): boolean {
  const at = new Date(seconds * 1_000);
  return zoneName() === 'UTC'
    ? at.getUTCHours() === 0 && at.getUTCMinutes() === 0
    : at.getHours() === 0 && at.getMinutes() === 0;
}
