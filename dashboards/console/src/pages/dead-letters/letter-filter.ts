import type { Query } from '../../api/operations.ts';
import { defined } from '../../parts/defined.ts';
import { endsOf } from '../../parts/time/time-range.ts';
import type { LettersSearch } from './letters-search.ts';

export type LetterFilter = Pick<
  NonNullable<Query<'get', '/api/dead-letters'>>,
  'q' | 'code' | 'topic' | 'status' | 'from' | 'to'
>;

/** Returns the API query parameters for the filters in the URL. List, download and redrive use the same ones. */
export function letterFilter(search: LettersSearch, nowMs: number): LetterFilter {
  const { q, code, topic, status = 'open' } = search;
  return defined({ ...endsOf(search, nowMs), q, code, topic, status: status === 'any' ? undefined : status });
}
