/**
 * Which thread each of `wanted` is at home in: those that have a thread keep it, since their lanes are open there, the others go, in
 * order, to whichever thread has the fewest.
 */
export function spreadPartitions(
  wanted: readonly string[],
  homes: ReadonlyMap<string, number>,
  threads: number,
): Map<string, number> {
  const spread = new Map<string, number>();
  const counts = new Array<number>(threads).fill(0);
  const settle = (key: string, thread: number) => {
    spread.set(key, thread);
    counts[thread] = (counts[thread] ?? 0) + 1;
  };
  for (const key of wanted) {
    const home = homes.get(key);
    if (home !== undefined) settle(key, home);
  }
  for (const key of wanted) if (!spread.has(key)) settle(key, counts.indexOf(Math.min(...counts)));
  return spread;
}
