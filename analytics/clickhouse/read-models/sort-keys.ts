/** One part of the sort key, newest or highest first. All parts together are unique. */
export interface SortKey {
  readonly column: string;
  /**
   * SQL of its value in a row, as text that `place` accepts. For a time, nanoseconds or milliseconds since the epoch.
   */
  readonly select: string;
  readonly place: (name: string) => string;
  readonly shape: RegExp;
}

export const nanosecondsKey = (column: string): SortKey => ({
  column,
  select: `toString(toUnixTimestamp64Nano(${column}))`,
  place: (name) => `fromUnixTimestamp64Nano({${name}:Int64}, 'UTC')`,
  shape: /^-?\d{1,19}$/,
});
export const millisecondsKey = (column: string): SortKey => ({
  column,
  select: `toString(toUnixTimestamp64Milli(${column}))`,
  place: (name) => `fromUnixTimestamp64Milli({${name}:Int64}, 'UTC')`,
  shape: /^-?\d{1,19}$/,
});
export const textKey = (column: string): SortKey => ({
  column,
  select: column,
  place: (name) => `{${name}:String}`,
  shape: /^.{0,300}$/s,
});
export const numberKey = (column: string): SortKey => ({
  column,
  select: `toString(${column})`,
  place: (name) => `{${name}:UInt64}`,
  shape: /^\d{1,20}$/,
});

/** The query parameter with the start of a walk. */
export const WALK_BEGAN = 'walk_began';

/**
 * Defines how a walk neither loses nor repeats rows that move during it. The walk records its start, and continues by
 * the position that each row had then.
 */
export interface MovingRows {
  /** SQL of the start of the walk, as text, for the first page. */
  readonly began: string;
  readonly shape: RegExp;
  /** The sort key at the start of the walk. */
  readonly keys: readonly SortKey[];
}
