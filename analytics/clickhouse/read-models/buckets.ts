/** A stretch of time cut into equal buckets. Epoch milliseconds; both ends lie on multiples of the step. */
export interface Buckets {
  readonly fromMs: number;
  /** Before this. */
  readonly toMs: number;
  readonly stepSeconds: number;
}

/** The beginnings of all buckets, in order. */
export function bucketStarts({ fromMs, toMs, stepSeconds }: Buckets): number[] {
  const step = stepSeconds * 1_000;
  return Array.from({ length: Math.max(0, Math.ceil((toMs - fromMs) / step)) }, (_, i) => fromMs + i * step);
}

/** One item for every bucket, in order; `empty` makes those there is no row of. */
export function fillBuckets<Item>(
  buckets: Buckets,
  found: ReadonlyMap<number, Item>,
  empty: (at: number) => Item,
): Item[] {
  return bucketStarts(buckets).map((at) => found.get(at) ?? empty(at));
}

/** SQL of the beginning of the bucket a time lies in, epoch milliseconds as text. Buckets are counted from the epoch, so they need no origin. */
export function bucketOf(column: string): string {
  return `toString(intDiv(toUnixTimestamp64Milli(${column}), {bucket_step:Int64}) * {bucket_step:Int64})`;
}

/** SQL that keeps rows of the stretch, and its parameters. */
export function within(column: string, { fromMs, toMs, stepSeconds }: Buckets) {
  return {
    sql: `${column} >= fromUnixTimestamp64Milli({bucket_from:Int64}, 'UTC') AND ${column} < fromUnixTimestamp64Milli({bucket_to:Int64}, 'UTC')`,
    params: { bucket_from: String(fromMs), bucket_to: String(toMs), bucket_step: String(stepSeconds * 1_000) },
  };
}

/** A dashboard is looked at, not waited for. Seconds. */
export const DASHBOARD_SETTINGS = { max_execution_time: 10 } as const;
