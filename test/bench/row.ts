/** One line of the benchmark table. `ratio` is `value / baseline`, measured in the same run on the same bytes. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  /** Of `value` and `baseline`, e.g. `events/s`. */
  readonly unit: string;
  readonly baseline: number;
  readonly ratio: number;
  /** What `ratio` must reach. */
  readonly target: number;
}
