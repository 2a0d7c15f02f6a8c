import { z } from 'zod';
import { accountName } from './code-host-account.ts';
import { codeHostTime } from './code-host-time.ts';
import { defineScraper } from './scraper.ts';
import { strictQuery } from './steps/validate.ts';

const count = z.number().int().min(0);
const text = z.string().nullable().default(null);

/** The used fields of https://docs.github.com/rest/users/users#get-a-user. */
const documented = z.object({
  login: z.string(),
  id: z.number().nullable().default(null),
  type: text,
  name: text,
  company: text,
  blog: text,
  location: text,
  bio: text,
  avatar_url: text,
  html_url: text,
  public_repos: count.nullable().default(null),
  followers: count.nullable().default(null),
  following: count.nullable().default(null),
  created_at: codeHostTime,
  updated_at: codeHostTime,
});

const user = z
  .object({
    login: z.string().describe('account name'),
    id: z.number().nullable(),
    type: z.string().nullable().describe('User or Organization'),
    name: z.string().nullable(),
    company: z.string().nullable(),
    blog: z.string().nullable(),
    location: z.string().nullable(),
    bio: z.string().nullable(),
    avatarUrl: z.string().nullable(),
    url: z.string().nullable().describe('URL of its page'),
    publicRepos: count.nullable(),
    followers: count.nullable(),
    following: count.nullable(),
    createdAt: z.string().nullable(),
    updatedAt: z.string().nullable(),
  })
  .describe('A profile at the code host. Values that the code host does not return are null.');

export const codehostUser = defineScraper({
  id: 'codehost.user',
  operationId: 'getCodehostUser',
  method: 'GET',
  path: '/api/codehost/user',
  summary: 'A profile at the code host',
  description: 'The public profile of a person or an organisation at the code host. Cached for 10 minutes.',
  query: strictQuery({ username: accountName('name of the person or organisation') }),
  response: z.object({ data: user }),
  cacheSeconds: 600,
  fetch: ({ username }, { codeHost }) => codeHost.get(['users', username]),
  parse(body) {
    const { avatar_url, html_url, public_repos, created_at, updated_at, ...same } = documented.parse(body);
    return {
      data: {
        ...same,
        avatarUrl: avatar_url,
        url: html_url,
        publicRepos: public_repos,
        createdAt: created_at,
        updatedAt: updated_at,
      },
    };
  },
});
