import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Answer, call } from '../../api/client.ts';
import { defined } from '../../parts/defined.ts';
import { countedEnds } from '../../parts/time/time-range.ts';
import { COUNTED_OTHERWISE, type EventFilters } from './filters.ts';

export type EventSummary = Answer<'get', '/api/events/summary'>;

/** Fetches the counts of the matching events over time, and by type, host, program and file. */
export function useEventSummary({ range, from, to, ...filters }: EventFilters, openedAt: number) {
  const query = { ...defined(filters), ...countedEnds({ range, from, to }, COUNTED_OTHERWISE, openedAt) };
  return useQuery({
    queryKey: ['events-summary', query],
    queryFn: ({ signal }) => call('get', '/api/events/summary', { query, signal }),
    placeholderData: keepPreviousData,
  });
}
