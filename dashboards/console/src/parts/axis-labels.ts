/** Steps of an axis that counts: there are no halves of an event. */
export const WHOLE_STEPS = Array.from({ length: 13 }, (_, power) => [
  10 ** power,
  2 * 10 ** power,
  5 * 10 ** power,
]).flat();
/** Steps of an axis of addresses or bytes. */
export const BINARY_STEPS = Array.from({ length: 52 }, (_, power) => 2 ** power);

/** Of one character, and of the tick and the gaps beside it, px. */
const CHARACTER_PX = 8;
const BESIDE_PX = 16;
const SHORTEST = 3;

/** How wide an axis at the side has to be for the longest of its labels: none of them is cut off. */
export function labelRoom(_plot: unknown, labels: readonly string[] | null): number {
  const longest = Math.max(SHORTEST, ...(labels ?? []).map(({ length }) => length));
  return longest * CHARACTER_PX + BESIDE_PX;
}
