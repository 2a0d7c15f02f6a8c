/**
 * The range of a topic in which both sides are measured. The first fifth is the warm-up: V8 spends most of a second of
 * other cores on compilation, which a long-running service does once. The range ends while both sides still have work,
 * so that the events in flight at its start and at its end cancel out.
 */
export const WARM = { from: 0.2, to: 0.95 } as const;

/** Time and sample at the point where `events` events were done. */
export interface Mark<Sample> {
  readonly events: number;
  readonly atMs: number;
  readonly sample: Sample;
}

export interface Stretch<Sample> {
  readonly from: Mark<Sample>;
  readonly to: Mark<Sample>;
}

/** Returns the events a second between both marks. */
export function rateOfStretch({ from, to }: Stretch<unknown>): number {
  return ((to.events - from.events) / (to.atMs - from.atMs)) * 1000;
}

/** Returns the microseconds of processor time an event, from samples in seconds. */
export function costOfStretch<Part extends string>(
  stretch: Stretch<{ readonly [Name in Part]: number }>,
  part: Part,
): number {
  const { from, to } = stretch;
  return ((to.sample[part] - from.sample[part]) / (to.events - from.events)) * 1e6;
}
