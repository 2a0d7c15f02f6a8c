import { TIME_AXIS } from '../../../parts/charts/time-axis.ts';
import type { Tick } from './time-scale.ts';

const DAY_SECONDS = 86_400;

/** Returns the label of a tick in the format of the other charts' time axis. */
export function tickText({ at, step }: Tick): string {
  return axisText(at, step);
}

/** Returns the day of an instant, for an axis that covers several days. */
export function dayText(at: number): string {
  return axisText(at, DAY_SECONDS);
}

function axisText(at: number, step: number): string {
  const { values } = TIME_AXIS;
  // This function uses neither the plot nor the axis.
  const [text] = typeof values === 'function' ? values(undefined as never, [at], 0, 0, step) : [];
  return String(text ?? '');
}
