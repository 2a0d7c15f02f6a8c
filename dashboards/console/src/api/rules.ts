import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './client.ts';

/** The catalogue of rules: their names, thresholds and runbooks come from the server alone. */
export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  queryFn: ({ signal }) => call('get', '/api/rules', { signal }),
  staleTime: 60_000,
});

/** Ids of all rules, in the order of the catalogue. Empty until it is loaded. */
export function useRuleIds(): readonly string[] {
  return useQuery(rulesQuery).data?.data.map(({ id }) => id) ?? [];
}
