import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { loadServerText } from '../../api/server-text.ts';

export type OutputKind = Answer<'get', '/api/output-kinds'>['data'][number];
/** One setting or secret of a kind, as the form shows it. */
export type OutputField = OutputKind['settings'][number];

/**
 * The kinds of outputs. Labels, fields and defaults come only from the server. Labels and descriptions are in the
 * language of the console.
 */
export const outputKindsQuery = queryOptions({
  queryKey: ['output-kinds'],
  queryFn: async ({ signal }) => {
    const [{ data }, translated] = await Promise.all([call('get', '/api/output-kinds', { signal }), loadServerText()]);
    return data.map((kind) => translatedKind(kind, translated));
  },
  staleTime: 60_000,
});

function translatedKind(kind: OutputKind, translated: (text: string) => string): OutputKind {
  const fields = (list: readonly OutputField[]): OutputField[] =>
    list.map((field) => ({
      ...field,
      label: translated(field.label),
      description: field.description && translated(field.description),
      choices: field.choices?.map((choice) => ({ ...choice, label: translated(choice.label) })) ?? null,
    }));
  return {
    ...kind,
    label: translated(kind.label),
    description: translated(kind.description),
    unavailable: kind.unavailable && translated(kind.unavailable),
    settings: fields(kind.settings),
    secrets: fields(kind.secrets),
  };
}

/** Returns a function from an output type to its label. Returns the type itself until the kinds are loaded. */
export function useKindLabel(): (type: string) => string {
  const { data = [] } = useQuery(outputKindsQuery);
  return (type) => data.find((kind) => kind.type === type)?.label ?? type;
}
