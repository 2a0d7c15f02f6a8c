/** One line of the benchmark table. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  /** Of `value` and `baseline`, e.g. `events/s`. */
  readonly unit: string;
  /** What `value` is held against, measured in the same run on the same bytes; null for figures that stand alone. */
  readonly baseline: number | null;
  /** `value / baseline`; null without a baseline. */
  readonly ratio: number | null;
  /** What `ratio` must reach; without a baseline, what `value` must stay below. Null: for information only. */
  readonly target: number | null;
  /** Shown below the line. */
  readonly details?: readonly string[];
}

/** Whether a row reaches its target; null when it has none. */
export function isMet({ value, ratio, target }: BenchRow): boolean | null {
  if (target === null) return null;
  return ratio === null ? value < target : ratio >= target;
}

/** A rate against its baseline. */
export function ratioRow(name: string, unit: string, value: number, baseline: number, target: number | null): BenchRow {
  return { name, unit, value: round(value), baseline: round(baseline), ratio: value / baseline, target };
}

/** A figure that stands alone and must stay below `target`. */
export function boundRow(name: string, unit: string, value: number, target: number | null): BenchRow {
  return { name, unit, value: round(value), baseline: null, ratio: null, target };
}

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 1000) / 1000;
}
