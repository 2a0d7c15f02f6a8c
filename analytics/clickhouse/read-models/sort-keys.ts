/** One part of the sort key, newest or highest first. Together the parts are unique. */
export interface SortKey {
  readonly column: string;
  /** Its value in a row, as text that `place` takes back; of a time its nanoseconds or milliseconds since the epoch. */
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

/** The parameter that holds what a walk noted when it began. */
export const WALK_BEGAN = 'walk_began';

/** How a walk neither loses nor repeats rows that move during it: it notes when it began, and continues by the position that each had then. */
export interface MovingRows {
  /** SQL of what the first page notes, as text. */
  readonly began: string;
  readonly shape: RegExp;
  /** The sort key as it was then. */
  readonly keys: readonly SortKey[];
}
