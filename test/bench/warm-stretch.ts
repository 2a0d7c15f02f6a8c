/**
 * The part of a topic over which both sides are measured. In the first fifth they warm up: V8 spends most of a second of other cores on compiling what is hot,
 * which a service that runs for months does once. It ends while both still have enough to do, so that what was in flight at its beginning is set off
 * by what is at its end.
 */
export const WARM = { from: 0.2, to: 0.95 } as const;

/** How things stood when so many events were done. */
export interface Mark<Sample> {
  readonly events: number;
  readonly atMs: number;
  readonly sample: Sample;
}

export interface Stretch<Sample> {
  readonly from: Mark<Sample>;
  readonly to: Mark<Sample>;
}

/** Events a second from mark to mark. */
export function rateOfStretch({ from, to }: Stretch<unknown>): number {
  return ((to.events - from.events) / (to.atMs - from.atMs)) * 1000;
}

/** Microseconds of processor time an event, of samples in seconds. */
export function costOfStretch<Part extends string>(
  stretch: Stretch<{ readonly [Name in Part]: number }>,
  part: Part,
): number {
  const { from, to } = stretch;
  return ((to.sample[part] - from.sample[part]) / (to.events - from.events)) * 1e6;
}
