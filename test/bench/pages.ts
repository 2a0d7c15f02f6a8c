import { type BenchRow, boundRow } from './row.ts';
import { median, percentile } from './statistics.ts';

/** No page may take longer. */
const AT_MOST_MS = 50;

/** A page of a list, asked for again and again. */
export interface Pages {
  readonly ms: readonly number[];
  /** What was on the last page: distinguishes an empty page from a fast one. */
  readonly found: number;
}

/** @param read the page, with whatever else its route asks for; resolves to how many are on it */
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
