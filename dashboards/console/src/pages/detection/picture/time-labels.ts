import { TIME_AXIS } from '../../../parts/time-axis.ts';
import type { Tick } from './time-scale.ts';

const DAY_SECONDS = 86_400;

/** Labels of ticks, as the time axis of the other charts writes them. */
export function tickText({ at, step }: Tick): string {
  return axisText(at, step);
}

/** Day of an instant, for axes that several days share. */
export function dayText(at: number): string {
  return axisText(at, DAY_SECONDS);
}

function axisText(at: number, step: number): string {
  const { values } = TIME_AXIS;
  // The function needs neither the plot nor the axis.
  const [text] = typeof values === 'function' ? values(undefined as never, [at], 0, 0, step) : [];
  return String(text ?? '');
}
