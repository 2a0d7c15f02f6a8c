/**
 * Tests for pairs: both versions run over the same examples, and how hard an example is does not count as a difference between the versions.
 *
 * Passed or not: McNemar's exact test. Only examples with different results say something; under the hypothesis of no difference each of them is as likely
 * to favour one version as the other. The exact binomial form holds for few examples, where the usual approximation does not.
 *
 * Latency, tokens and cost: a permutation test of the signs of the differences. It assumes no distribution, and these are skewed.
 */

/** The two-sided p-value of McNemar's exact test. `onlyA`, `onlyB`: examples that only one version passed. */
export function mcnemarExact(onlyA: number, onlyB: number): number {
  const pairs = onlyA + onlyB;
  if (pairs === 0) return 1;
  const fewer = Math.min(onlyA, onlyB);
  // Logarithms: 0.5 to the power of 1,100 is 0 as a number.
  let logTerm = -pairs * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let k = 1; k <= fewer; k++) {
    logTerm += Math.log(pairs - k + 1) - Math.log(k);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}

/** With so many differences all are tried; with more, a sample. */
const EXACT_PAIRS = 14;
const SAMPLES = 20_000;

/**
 * The two-sided p-value of the mean of paired differences, by permutation of their signs: exact for up to 14 differences, else from 20,000 samples that are
 * the same for the same differences. 1 without a difference.
 */
export function signFlipTest(differences: readonly number[]): number {
  const values = differences.filter((difference) => difference !== 0);
  if (values.length === 0) return 1;
  const observed = Math.abs(sum(values));
  // Sums of the same numbers in another order differ in the last digits.
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
  // The observed signs are one of the permutations, so that a p-value is never 0.
  return (extreme + 1) / (SAMPLES + 1);
}

/** How many examples with different results a p-value below 0.05 needs at least: 2 × 0.5⁶ = 0.031, 2 × 0.5⁵ = 0.063. */
export const MIN_DECISIVE_PAIRS = 6;
export const SIGNIFICANCE = 0.05;

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Mulberry32: numbers from 0 to 1 that repeat for the same seed. */
function seededRandom(seed: number): () => number {
  let state = (seed * 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
