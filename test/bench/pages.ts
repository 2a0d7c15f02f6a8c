import { type BenchRow, boundRow } from './row.ts';
import { median, percentile } from './statistics.ts';

/** Target for each page. */
const AT_MOST_MS = 50;

/** Times of repeated requests for a page of a list. */
export interface Pages {
  readonly ms: readonly number[];
  /** Number of rows on the last page, which distinguishes a fast page from an empty one. */
  readonly found: number;
}

/**
 * Reads a page `rounds` times and measures each read.
 *
 * @param read reads the page and all else that its route queries; resolves to the number of rows
 */
export async function readPages(rounds: number, read: () => Promise<number>): Promise<Pages> {
  const ms: number[] = [];
  let found = 0;
  for (let round = 0; round < rounds; round += 1) {
    const began = performance.now();
    found = await read();
    ms.push(performance.now() - began);
  }
  return { ms, found };
}

export function pageRow(name: string, { ms, found }: Pages): BenchRow {
  return {
    ...boundRow(name, 'ms p99', percentile(ms, 0.99), AT_MOST_MS),
    details: [`median ${median(ms).toFixed(1)} ms, slowest ${Math.max(...ms).toFixed(1)} ms; ${found} on the page`],
  };
}
