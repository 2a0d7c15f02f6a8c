/** Steps of an axis of counts: integers. */
export const WHOLE_STEPS = Array.from({ length: 13 }, (_, power) => [
  10 ** power,
  2 * 10 ** power,
  5 * 10 ** power,
]).flat();
/** Steps of an axis of addresses or bytes. */
export const BINARY_STEPS = Array.from({ length: 52 }, (_, power) => 2 ** power);

/** Width of one character, and of a tick with its gaps, px. */
const CHARACTER_PX = 8;
const TICK_PX = 16;
const SHORTEST = 3;

/** Returns the width of a vertical axis that fits its longest label. */
export function labelRoom(_plot: unknown, labels: readonly string[] | null): number {
  const longest = Math.max(SHORTEST, ...(labels ?? []).map(({ length }) => length));
  return longest * CHARACTER_PX + TICK_PX;
}
