import type { FastifyRequest } from 'fastify';

/** Languages of the server's own pages. They are those of the console. */
export type PageLanguage = 'en' | 'de';

/** A content in every language. */
export type InEachLanguage<Content> = Readonly<Record<PageLanguage, Content>>;

const DEFAULT: PageLanguage = 'en';

/** Returns the most preferred language of the browser that the pages have. The default is English. */
export function pageLanguage({ headers }: Pick<FastifyRequest, 'headers'>): PageLanguage {
  const preferred = (headers['accept-language'] ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part
        .trim()
        .toLowerCase()
        .split(/\s*;\s*q=/);
      return { language: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .find(({ language }) => language === 'en' || language === 'de');
  return (preferred?.language as PageLanguage | undefined) ?? DEFAULT;
}
