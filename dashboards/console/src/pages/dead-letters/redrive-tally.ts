import type { Answer } from '../../api/client.ts';

export type RedriveResult = Answer<'post', '/api/dead-letters/redrive'>['results'][number];
export type RedriveOutcome = RedriveResult['outcome'];

/** Results of a redrive so far: the count of each outcome, and a limited list of single results. */
export interface RedriveTally {
  readonly counts: Readonly<Partial<Record<RedriveOutcome, number>>>;
  readonly total: number;
  /** At most `MAX_REPORTED` results. Those that were not accepted are first. */
  readonly reported: readonly RedriveResult[];
}

export const MAX_REPORTED = 1_000;
export const EMPTY_TALLY: RedriveTally = { counts: {}, total: 0, reported: [] };

/** Adds results to a tally. */
export function tallied({ counts, total, reported }: RedriveTally, results: readonly RedriveResult[]): RedriveTally {
  const sum = { ...counts };
  for (const { outcome } of results) sum[outcome] = (sum[outcome] ?? 0) + 1;
  return {
    counts: sum,
    total: total + results.length,
    reported: [...reported, ...results]
      .toSorted((a, b) => Number(a.outcome === 'accepted') - Number(b.outcome === 'accepted'))
      .slice(0, MAX_REPORTED),
  };
}
