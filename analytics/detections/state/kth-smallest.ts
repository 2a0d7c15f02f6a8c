/**
 * Returns the k-th smallest value (`k` from 0), and reorders the values. Uses Hoare's selection, because a full sort
 * costs several times as much. The values must be distinct and not NaN.
 */
export function kthSmallest(values: Float64Array, k: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >>> 1] as number;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] as number) < pivot) i += 1;
      while ((values[j] as number) > pivot) j -= 1;
      if (i > j) break;
      const swapped = values[i] as number;
      values[i] = values[j] as number;
      values[j] = swapped;
      i += 1;
      j -= 1;
    }
    if (k <= j) high = j;
    else if (k >= i) low = i;
    else break;
  }
  return values[k] as number;
}
