/**
 * Returns the lowest and the highest address. Uses `bigint`, because a number cannot represent every address. Undefined
 * for an empty list.
 */
export function extentOf(values: readonly bigint[]): { readonly low: bigint; readonly high: bigint } | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  let low = first;
  let high = first;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { low, high };
}
