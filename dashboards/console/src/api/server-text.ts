import { queryOptions, useQuery } from '@tanstack/react-query';

/**
 * Labels, descriptions and outcomes of deliveries that come from the API, in the language of the console. The translation is a file of its own, which only pages
 * that show it load. Texts without a translation stay in English, such as those of user rules.
 */
const serverTextQuery = queryOptions({
  queryKey: ['server-text'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: loadServerText,
});

/** The translation of a text of the API. Until it is loaded, the text is English. */
export function useServerText(): (text: string) => string {
  const { data = asItIs } = useQuery(serverTextQuery);
  return data;
}

/** Resolves to the translation of texts of the API. */
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
