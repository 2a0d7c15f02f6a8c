import { z } from 'zod';
import { accountName } from './code-host-account.ts';
import { documentedRepository, repository, toRepository } from './code-host-repository.ts';
import { defineScraper } from './scraper.ts';
import { choiceParameter, numberParameter, strictQuery } from './steps/validate.ts';

const pagination = z
  .object({ page: z.number(), perPage: z.number(), nextPage: z.number().nullable().describe('null on the last page') })
  .describe('Position of the page.');

export const codehostRepos = defineScraper({
  id: 'codehost.repos',
  operationId: 'listCodehostRepos',
  method: 'GET',
  path: '/api/codehost/repos',
  summary: 'Repositories at the code host',
  description:
    'A page of the public repositories of a person or an organisation at the code host. Cached for 5 minutes.',
  query: strictQuery({
    username: accountName('whose repositories'),
    page: numberParameter({ min: 1, max: 1000, fallback: 1, description: 'page number, from 1', example: 1 }),
    perPage: numberParameter({ min: 1, max: 100, fallback: 30, description: 'repositories per page', example: 30 }),
    sort: choiceParameter({
      words: ['created', 'updated', 'pushed', 'full_name'],
      fallback: 'full_name',
      description: 'sort field',
      example: 'updated',
    }),
  }),
  response: z.object({ data: z.array(repository), pagination }),
  cacheSeconds: 300,
  fetch: ({ username, page, perPage, sort }, { codeHost }) =>
    codeHost.get(['users', username, 'repos'], { page, per_page: perPage, sort }),
  parse(body, { headers }, { page, perPage }) {
    const data = z.array(documentedRepository).parse(body).map(toRepository);
    const nextPage = hasNext(headers.link) ? Number(page) + 1 : null;
    return { data, pagination: { page: Number(page), perPage: Number(perPage), nextPage } };
  },
});

/** https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api */
function hasNext(link: string | undefined): boolean {
  return /;\s*rel="?next"?(?:\s*[,;]|$)/.test(link ?? '');
}
