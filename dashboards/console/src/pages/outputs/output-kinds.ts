import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';

export type OutputKind = Answer<'get', '/api/output-kinds'>['data'][number];
/** One setting or secret of a kind, as the form asks for it. */
export type OutputField = OutputKind['settings'][number];

/** The kinds of outputs. Labels, fields and defaults come from the server alone. */
export const outputKindsQuery = queryOptions({
  queryKey: ['output-kinds'],
  queryFn: async ({ signal }) => (await call('get', '/api/output-kinds', { signal })).data,
  staleTime: 60_000,
});

/** The label of a type of output; the type itself until the kinds are loaded. */
export function useKindLabel(): (type: string) => string {
  const { data = [] } = useQuery(outputKindsQuery);
  return (type) => data.find((kind) => kind.type === type)?.label ?? type;
}
