import { z } from 'zod';
import { accountName } from './code-host-account.ts';
import { documentedRepository, repository, toRepository } from './code-host-repository.ts';
import { defineScraper } from './scraper.ts';
import { nameParameter, strictQuery } from './steps/validate.ts';

export const codehostRepo = defineScraper({
  id: 'codehost.repo',
  operationId: 'getCodehostRepo',
  method: 'GET',
  path: '/api/codehost/repo',
  summary: 'A repository at the code host',
  description: 'One public repository at the code host. Cached for 5 minutes.',
  query: strictQuery({
    owner: accountName('who owns it'),
    name: nameParameter({
      // Excludes `.` and `..`, which would change the path.
      pattern: /^(?!\.{1,2}$)[\w.-]+$/,
      max: 100,
      expected: 'letters, digits, dots, hyphens and underscores',
      description: 'name of the repository',
      example: 'hello-world',
    }),
  }),
  response: z.object({ data: repository }),
  cacheSeconds: 300,
  fetch: ({ owner, name }, { codeHost }) => codeHost.get(['repos', owner, name]),
  parse: (body) => ({ data: toRepository(documentedRepository.parse(body)) }),
});
