/** Returns the maximum distance between the distributions of two samples, 0 to 1 (Kolmogorov and Smirnov). */
export function largestDistance(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [one.toSorted((x, y) => x - y), other.toSorted((x, y) => x - y)];
  let [i, j, distance] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const at = Math.min(a[i] as number, b[j] as number);
    while (i < a.length && (a[i] as number) <= at) i += 1;
    while (j < b.length && (b[j] as number) <= at) j += 1;
    distance = Math.max(distance, Math.abs(i / a.length - j / b.length));
  }
  return distance;
}

/** Returns the distance that two samples of the same distribution exceed with probability `alpha`. */
export function criticalDistance(one: number, other: number, alpha: number): number {
  return Math.sqrt((-Math.log(alpha / 2) / 2) * ((one + other) / (one * other)));
}

/**
 * Returns the difference between the ranks of two samples, in standard deviations (Mann and Whitney). If the
 * distributions are the same, it exceeds 3.3 once in 1,000 times. Positive when `one` is slower.
 */
export function rankDeviation(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, mine: true })), ...other.map((value) => ({ value, mine: false }))];
  all.sort((x, y) => x.value - y.value);
  let ranks = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to]?.value === all[from]?.value) to += 1;
    const rank = (from + 1 + to) / 2;
    for (let at = from; at < to; at += 1) if (all[at]?.mine) ranks += rank;
    from = to;
  }
  const [n, m] = [one.length, other.length];
  const u = ranks - (n * (n + 1)) / 2;
  return (u - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12);
}

/** Returns the smallest shift of one sample that the distance test detects: the resolution of the comparison. */
export function smallestDetected(one: readonly number[], other: readonly number[], critical: number): number {
  let [low, high] = [0, Math.max(...one, ...other)];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    const detected =
      largestDistance(
        one.map((value) => value + middle),
        other,
      ) > critical;
    if (detected) high = middle;
    else low = middle;
  }
  return high;
}
