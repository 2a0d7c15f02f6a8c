/**
 * Returns the tick values of a vertical axis of this height in px. Uses the smallest of `steps` with at least `space`
 * px between two ticks.
 */
export function linearTicks(
  { low, high, steps }: { readonly low: number; readonly high: number; readonly steps: readonly number[] },
  height: number,
  space: number,
): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const step = steps.find((one) => (one / span) * height >= space) ?? steps.at(-1) ?? span;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, index) => (first + index) * step);
}
