import { queryOptions, useQuery } from '@tanstack/react-query';

/**
 * Labels, descriptions and delivery results from the API, in the language of the console. The translation is a separate
 * file that only pages with such texts load. Texts without a translation stay English, for example those of user rules.
 */
const serverTextQuery = queryOptions({
  queryKey: ['server-text'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: loadServerText,
});

/**
 * Returns a function that translates a text of the API. Until the translation is loaded, it returns the English text.
 */
export function useServerText(): (text: string) => string {
  const { data = asItIs } = useQuery(serverTextQuery);
  return data;
}

/** Resolves with a function that translates texts of the API. */
export async function loadServerText(): Promise<(text: string) => string> {
  if (document.documentElement.lang !== 'de') return asItIs;
  const [{ SERVER_TEXT_GERMAN }, { germanDelivery }] = await Promise.all([
    import('./server-text.de.ts'),
    import('./delivery-text.de.ts'),
  ]);
  return (text) => SERVER_TEXT_GERMAN[text] ?? germanDelivery(text) ?? text;
}

function asItIs(text: string): string {
  return text;
}
