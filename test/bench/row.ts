/** A row of the benchmark table. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  /** Unit of `value` and `baseline`, such as `events/s`. */
  readonly unit: string;
  /** Reference for `value`, measured in the same run on the same bytes. Null for figures without a reference. */
  readonly baseline: number | null;
  /** `value / baseline`; null without a baseline. */
  readonly ratio: number | null;
  /** Minimum of `ratio`, or maximum of `value` if there is no baseline. Null if the figure is informational. */
  readonly target: number | null;
  /** Lines shown below the row. */
  readonly details?: readonly string[];
}

/** Returns whether a row meets its target; null if it has no target. */
export function isMet({ value, ratio, target }: BenchRow): boolean | null {
  if (target === null) return null;
  return ratio === null ? value < target : ratio >= target;
}

/** Returns a row with a rate and its baseline. */
export function ratioRow(name: string, unit: string, value: number, baseline: number, target: number | null): BenchRow {
  return { name, unit, value: round(value), baseline: round(baseline), ratio: value / baseline, target };
}

/** Returns a row with a figure without a baseline, which must stay below `target`. */
export function boundRow(name: string, unit: string, value: number, target: number | null): BenchRow {
  return { name, unit, value: round(value), baseline: null, ratio: null, target };
}

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 1000) / 1000;
}
