/**
 * Returns the thread of each partition in `wanted`. Partitions with a thread keep it, because their lanes are open
 * there. Each other partition goes, in order, to the thread with the fewest partitions.
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
