import { z } from 'zod';
import { codeHostTime } from './code-host-time.ts';

const count = z.number().int().min(0);
const text = z.string().nullable().default(null);
const amount = count.nullable().default(null);
const truth = z.boolean().nullable().default(null);

/** The used fields of https://docs.github.com/rest/repos/repos#get-a-repository; lists have the same format. */
export const documentedRepository = z.object({
  id: z.number().nullable().default(null),
  name: z.string(),
  full_name: text,
  owner: z.object({ login: z.string() }).nullable().default(null),
  description: text,
  html_url: text,
  homepage: text,
  language: text,
  license: z.object({ spdx_id: text }).nullable().default(null),
  topics: z.array(z.string()).default([]),
  default_branch: text,
  fork: truth,
  archived: truth,
  stargazers_count: amount,
  forks_count: amount,
  open_issues_count: amount,
  created_at: codeHostTime,
  updated_at: codeHostTime,
  pushed_at: codeHostTime,
});

/** A repository in our responses. */
export const repository = z
  .object({
    id: z.number().nullable(),
    name: z.string(),
    fullName: z.string().nullable().describe('owner and name'),
    owner: z.string().nullable(),
    description: z.string().nullable(),
    url: z.string().nullable().describe('URL of its page'),
    homepage: z.string().nullable(),
    language: z.string().nullable(),
    license: z.string().nullable().describe('SPDX identifier'),
    topics: z.array(z.string()),
    defaultBranch: z.string().nullable(),
    fork: z.boolean().nullable(),
    archived: z.boolean().nullable(),
    stars: count.nullable(),
    forks: count.nullable(),
    openIssues: count.nullable(),
    createdAt: z.string().nullable(),
    updatedAt: z.string().nullable(),
    pushedAt: z.string().nullable(),
  })
  .describe('A repository at the code host. Values that the code host does not return are null.');

export function toRepository(of: z.output<typeof documentedRepository>): z.input<typeof repository> {
  return {
    id: of.id,
    name: of.name,
    fullName: of.full_name,
    owner: of.owner?.login ?? null,
    description: of.description,
    url: of.html_url,
    homepage: of.homepage,
    language: of.language,
    license: of.license?.spdx_id ?? null,
    topics: of.topics,
    defaultBranch: of.default_branch,
    fork: of.fork,
    archived: of.archived,
    stars: of.stargazers_count,
    forks: of.forks_count,
    openIssues: of.open_issues_count,
    createdAt: of.created_at,
    updatedAt: of.updated_at,
    pushedAt: of.pushed_at,
  };
}
