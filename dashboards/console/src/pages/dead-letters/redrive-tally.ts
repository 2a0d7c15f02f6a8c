import type { Answer } from '../../api/client.ts';

export type RedriveResult = Answer<'post', '/api/dead-letters/redrive'>['results'][number];
export type RedriveOutcome = RedriveResult['outcome'];

/** What became of dead letters so far, however many there are: all counted, of some each told. */
export interface RedriveTally {
  readonly counts: Readonly<Partial<Record<RedriveOutcome, number>>>;
  readonly total: number;
  /** Those that need somebody first; no more than `MAX_REPORTED`. */
  readonly told: readonly RedriveResult[];
}

export const MAX_REPORTED = 1_000;
export const NOTHING_YET: RedriveTally = { counts: {}, total: 0, told: [] };

/** The tally with what became of further ones. */
export function tallied({ counts, total, told }: RedriveTally, results: readonly RedriveResult[]): RedriveTally {
  const sum = { ...counts };
  for (const { outcome } of results) sum[outcome] = (sum[outcome] ?? 0) + 1;
  return {
    counts: sum,
    total: total + results.length,
    told: [...told, ...results]
      .toSorted((a, b) => Number(a.outcome === 'accepted') - Number(b.outcome === 'accepted'))
      .slice(0, MAX_REPORTED),
  };
}
