/** What a set of values is judged by: a threshold of the rule for register values. */
export interface StepThresholds {
  readonly minSteps: number;
}

/** Distinct values in a flat array, sorted by (space, offset), which are the first two of each value's `stride` fields. */
export interface ValueSet {
  readonly flat: readonly number[];
  readonly stride: number;
  /** Whether the value at this index counts at the time in question. */
  inWindow(index: number): boolean;
  /** Whether the value 0 is left out of the set although it occurs. */
  readonly assumesZero: boolean;
  /** pid of the dump that held the value; NaN when unknown. */
  pid(index: number): number;
}

/** pids and tids are below 2^22 (PID_MAX_LIMIT). */
export const PID_LIMIT = 2 ** 22;

/**
 * The indexes of the values of `space` that count through it in steps of exactly 1, when they make at least `minSteps` steps;
 * else undefined. Judges the set, so order, repeats and other values in between change nothing. A pair alone is no move: stretches
 * of three values and more count. Values that keep their distance from the pid of their dump are ids of other threads or children.
 */
export function findSteps(
  values: ValueSet,
  space: number,
  start: number,
  thresholds: StepThresholds,
): readonly number[] | undefined {
  const { flat, stride } = values;
  const found: number[] = [];
  let steps = 0;
  let stretch: number[] = [];
  const close = () => {
    // 0 is what a register holds most often; it is not kept, and counts as seen below 1.
    const fromZero =
      values.assumesZero && stretch.length > 0 && flat[(stretch[0] as number) * stride + 1] === 1 ? 1 : 0;
    if (stretch.length + fromZero >= 3) {
      steps += stretch.length - 1 + fromZero;
      found.push(...stretch);
    }
    stretch = [];
  };
  for (let i = start; i * stride < flat.length && flat[i * stride] === space; i += 1) {
    if (!values.inWindow(i)) continue;
    const before = stretch.at(-1);
    if (before !== undefined && (flat[i * stride + 1] as number) - (flat[before * stride + 1] as number) !== 1) close();
    stretch.push(i);
  }
  close();
  if (steps < thresholds.minSteps || followsPids(values, found)) return undefined;
  return found;
}

/** Whether at least half of the values lie at one distance from the pid of their dump. */
function followsPids(values: ValueSet, found: readonly number[]): boolean {
  const distances = new Map<number, number>();
  let most = 0;
  for (const index of found) {
    const value = values.flat[index * values.stride + 1] as number;
    const pid = values.pid(index);
    if (Number.isNaN(pid) || value >= PID_LIMIT) continue;
    const count = (distances.get(value - pid) ?? 0) + 1;
    distances.set(value - pid, count);
    most = Math.max(most, count);
  }
  return most * 2 >= found.length;
}
