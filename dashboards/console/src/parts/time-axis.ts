import type { Axis } from 'uplot';
import { locale } from '../language/numbers.ts';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
/** Seconds. An attack is over in a few: halves and twos of a second are steps as well. Longest where a plot holds years. */
const STEPS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * HOUR),
  ...[1, 2, 3, 5, 7, 10, 15, 30, 60, 90, 180, 365].map((days) => days * DAY),
];
const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale(), options);
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const HALF_YEAR = 180 * DAY;
const MONTH = format({ month: 'short', year: 'numeric' });
const DATE = format({ day: 'numeric', month: 'short' });
const MINUTES = format(CLOCK);
const SECONDS = format({ ...CLOCK, second: '2-digit' });
const FRACTIONS = format({ ...CLOCK, second: '2-digit', fractionalSecondDigits: 1 });

/** An axis of time in one line, in the reader's zone and way of writing. */
export const TIME_AXIS: Axis = {
  size: 26,
  space: 84,
  grid: { show: false },
  incrs: STEPS,
  values: (_, splits, _axis, _space, step) => splits.map((seconds) => textOf(seconds, step)),
};

function textOf(seconds: number, step: number): string {
  const at = new Date(seconds * 1_000);
  if (step >= HALF_YEAR) return MONTH.format(at);
  if (step >= DAY || (step >= MINUTE && at.getHours() === 0 && at.getMinutes() === 0)) return DATE.format(at);
  if (step >= MINUTE) return MINUTES.format(at);
  return (step >= 1 ? SECONDS : FRACTIONS).format(at);
}
