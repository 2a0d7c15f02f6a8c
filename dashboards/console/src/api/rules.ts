import { queryOptions, useQuery } from '@tanstack/react-query';
import { ruleName } from '../parts/rule-name.ts';
import { call } from './client.ts';

/** The catalogue of rules: their names, thresholds and runbooks come from the server alone. */
export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  queryFn: ({ signal }) => call('get', '/api/rules', { signal }),
  staleTime: 60_000,
});

/** All rules with their names in the language of the console, in the order of the catalogue. Empty until it is loaded. */
export function useRules(): readonly { readonly id: string; readonly name: string }[] {
  return useQuery(rulesQuery).data?.data.map(({ id, name }) => ({ id, name: ruleName({ id, name }) })) ?? [];
}

/** The name of a rule by its id. Rules of users have their ids until the catalogue is loaded, and patterns stay as they are. */
export function useRuleTitle(): (id: string) => string {
  const rules = useRules();
  return (id) => ruleName({ id, name: rules.find((rule) => rule.id === id)?.name ?? id });
}
