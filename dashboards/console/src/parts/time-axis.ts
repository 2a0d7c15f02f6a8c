import type { Axis } from 'uplot';

const DAY = 86_400;
const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(undefined, options);
const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const DATE = format({ day: 'numeric', month: 'short' });
const MINUTES = format(CLOCK);
const SECONDS = format({ ...CLOCK, second: '2-digit' });
const FRACTIONS = format({ ...CLOCK, second: '2-digit', fractionalSecondDigits: 1 });

/** An axis of time in one line, in the reader's zone and way of writing. */
export const TIME_AXIS: Axis = {
  size: 26,
  space: 84,
  grid: { show: false },
  values: (_, splits, _axis, _space, step) => splits.map((seconds) => textOf(seconds, step)),
};

function textOf(seconds: number, step: number): string {
  const at = new Date(seconds * 1_000);
  if (step >= DAY || (step >= 60 && at.getHours() === 0 && at.getMinutes() === 0)) return DATE.format(at);
  if (step >= 60) return MINUTES.format(at);
  return (step >= 1 ? SECONDS : FRACTIONS).format(at);
}
