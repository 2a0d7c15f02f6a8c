/**
 * Paired tests: both versions run over the same examples, so the difficulty of an example does not count as a
 * difference between versions.
 *
 * Passed or not: McNemar's exact test. Only examples with different results are informative. Under the null hypothesis,
 * each favours either version with equal probability. The exact binomial form is valid for few examples, where the
 * usual approximation is not.
 *
 * Latency, tokens and cost: a permutation test of the signs of the differences. It assumes no distribution, because
 * these values are skewed.
 */

/**
 * Returns the two-sided p-value of McNemar's exact test. `onlyA`, `onlyB`: number of examples that only one version
 * passed.
 */
export function mcnemarExact(onlyA: number, onlyB: number): number {
  const pairs = onlyA + onlyB;
  if (pairs === 0) return 1;
  const fewer = Math.min(onlyA, onlyB);
  // Logarithms avoid underflow: 0.5 to the power of 1,100 is 0 as a number.
  let logTerm = -pairs * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let k = 1; k <= fewer; k++) {
    logTerm += Math.log(pairs - k + 1) - Math.log(k);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}

/** Up to this number of differences, all permutations are tried; above it, a sample. */
const EXACT_PAIRS = 14;
const SAMPLES = 20_000;

/**
 * Returns the two-sided p-value of the mean of paired differences, by permutation of their signs. It is exact for up to
 * 14 differences. For more, it uses 20,000 samples with a fixed seed, so the result is reproducible. Returns 1 if there
 * are no differences.
 */
export function signFlipTest(differences: readonly number[]): number {
  const values = differences.filter((difference) => difference !== 0);
  if (values.length === 0) return 1;
  const observed = Math.abs(sum(values));
  // Tolerance for rounding: the sum of the same numbers depends on their order.
  const reaches = observed - 1e-9 * sum(values.map(Math.abs));
  if (values.length <= EXACT_PAIRS) {
    const all = 2 ** values.length;
    let extreme = 0;
    for (let signs = 0; signs < all; signs++)
      if (Math.abs(sum(values.map((value, at) => ((signs >> at) & 1 ? -value : value)))) >= reaches) extreme++;
    return extreme / all;
  }
  const random = seededRandom(values.length);
  let extreme = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    let total = 0;
    for (const value of values) total += random() < 0.5 ? -value : value;
    if (Math.abs(total) >= reaches) extreme++;
  }
  // The observed signs count as one permutation, so a p-value is never 0.
  return (extreme + 1) / (SAMPLES + 1);
}

/** Minimum number of different results for a p-value below 0.05: 2 × 0.5⁶ = 0.031, 2 × 0.5⁵ = 0.063. */
export const MIN_DECISIVE_PAIRS = 6;
export const SIGNIFICANCE = 0.05;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Mulberry32: returns a generator of numbers from 0 to 1, reproducible by seed. */
function seededRandom(seed: number): () => number {
  let state = (seed * 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
