import { queryOptions, useQuery } from '@tanstack/react-query';
import { ruleName } from '../parts/rules/rule-name.ts';
import { call } from './client.ts';

/** The catalogue of rules. Names, thresholds and runbooks come only from the server. */
export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  queryFn: ({ signal }) => call('get', '/api/rules', { signal }),
  staleTime: 60_000,
});

/**
 * Returns all rules with their names in the language of the console, in the order of the catalogue. Empty until it is
 * loaded.
 */
export function useRules(): readonly { readonly id: string; readonly name: string }[] {
  return useQuery(rulesQuery).data?.data.map(({ id, name }) => ({ id, name: ruleName({ id, name }) })) ?? [];
}

/**
 * Returns a function from rule id to rule name. User rules are shown by id until the catalogue is loaded. Patterns are
 * returned unchanged.
 */
export function useRuleTitle(): (id: string) => string {
  const rules = useRules();
  return (id) => ruleName({ id, name: rules.find((rule) => rule.id === id)?.name ?? id });
}
