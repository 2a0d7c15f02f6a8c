/** Threshold of the rule for register values. */
export interface StepThresholds {
  readonly minSteps: number;
}

/**
 * Distinct values in a flat array, sorted by (space, offset). These are the first two of the `stride` fields of each
 * value.
 */
export interface ValueSet {
  readonly flat: readonly number[];
  readonly stride: number;
  /** Returns true if the value at this index lies within the window. */
  inWindow(index: number): boolean;
  /** True if the value 0 is not stored in the set although it may occur. */
  readonly assumesZero: boolean;
  /** Returns the pid of the dump that contained the value; NaN if unknown. */
  pid(index: number): number;
}

/** Upper limit of pids and tids (PID_MAX_LIMIT). */
export const PID_LIMIT = 2 ** 22;

/**
 * Returns the indexes of the values of `space` that increase in steps of exactly 1, if they make at least `minSteps`
 * steps; else undefined. Judges the set, so order, repeats and other values do not change the result. Two adjacent
 * values alone do not count: only sequences of at least three values do. Values at a constant distance from the pid of
 * their dump are ids of other threads or children.
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
    // 0 is the most frequent register value. It is not stored, and is assumed to have occurred before 1.
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

/** Returns true if at least half of the values lie at one distance from the pid of their dump. */
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
