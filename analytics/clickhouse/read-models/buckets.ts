/** A time range divided into equal buckets. Epoch milliseconds. Both ends are multiples of the step. */
export interface Buckets {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly stepSeconds: number;
}

/** Returns the start of each bucket, in order. */
export function bucketStarts({ fromMs, toMs, stepSeconds }: Buckets): number[] {
  const step = stepSeconds * 1_000;
  return Array.from({ length: Math.max(0, Math.ceil((toMs - fromMs) / step)) }, (_, i) => fromMs + i * step);
}

/** Returns one item per bucket, in order. `empty` creates the items for buckets without a row. */
export function fillBuckets<Item>(
  buckets: Buckets,
  found: ReadonlyMap<number, Item>,
  empty: (at: number) => Item,
): Item[] {
  return bucketStarts(buckets).map((at) => found.get(at) ?? empty(at));
}

/** Returns SQL of the start of a time's bucket, epoch milliseconds as text. Buckets are counted from the epoch. */
export function bucketOf(column: string): string {
  return `toString(intDiv(toUnixTimestamp64Milli(${column}), {bucket_step:Int64}) * {bucket_step:Int64})`;
}

/** Returns SQL that selects rows of the time range, and its parameters. */
export function within(column: string, { fromMs, toMs, stepSeconds }: Buckets) {
  return {
    sql: `${column} >= fromUnixTimestamp64Milli({bucket_from:Int64}, 'UTC') AND ${column} < fromUnixTimestamp64Milli({bucket_to:Int64}, 'UTC')`,
    params: { bucket_from: String(fromMs), bucket_to: String(toMs), bucket_step: String(stepSeconds * 1_000) },
  };
}

/** Limit of dashboard queries in seconds: a user does not wait longer. */
export const DASHBOARD_SETTINGS = { max_execution_time: 10 } as const;
