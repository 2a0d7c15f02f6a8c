import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The documented REST API of the code host, a third-party service: the user octocat with three repositories, and no
 * other user.
 */

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

export const OCTOCAT = {
  login: 'octocat',
  id: 1,
  node_id: 'MDQ6VXNlcjE=',
  type: 'User',
  name: 'monalisa octocat',
  company: 'GitHub',
  blog: 'https://github.com/blog',
  location: 'San Francisco',
  email: 'octocat@github.com',
  bio: null,
  avatar_url: 'https://github.com/images/error/octocat_happy.gif',
  html_url: 'https://github.com/octocat',
  public_repos: 2,
  followers: 20,
  following: 0,
  created_at: '2008-01-14T04:33:35Z',
  updated_at: '2008-01-14T04:33:35Z',
  site_admin: false,
};

const repository = (name: string) => ({
  id: name.length,
  name,
  full_name: `octocat/${name}`,
  owner: { login: 'octocat', id: 1 },
  private: false,
  html_url: `https://github.com/octocat/${name}`,
  description: 'This your first repo!',
  fork: false,
  language: null,
  license: { key: 'mit', name: 'MIT License', spdx_id: 'MIT' },
  topics: ['octocat', 'api'],
  default_branch: 'main',
  stargazers_count: 80,
  forks_count: 9,
  open_issues_count: 0,
  archived: false,
  homepage: 'https://github.com',
  pushed_at: '2011-01-26T19:06:43Z',
  created_at: '2011-01-26T19:01:12Z',
  updated_at: '2011-01-26T19:14:43Z',
});
const REPOSITORIES = ['boysenberry', 'hello-world', 'spoon.knife'].map(repository);

export const documented: Answering = (request, response) => {
  const url = new URL(request.url ?? '/', 'http://code-host');
  const [, kind, owner, name] = url.pathname.split('/');
  if (kind === 'users' && owner === 'octocat' && name === undefined) return send(response, 200, OCTOCAT);
  if (kind === 'users' && owner === 'octocat' && name === 'repos') {
    const [page, perPage] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('per_page'))];
    const rest = REPOSITORIES.slice((page - 1) * perPage);
    if (rest.length > perPage) response.setHeader('link', `<${url.href}>; rel="next", <${url.href}>; rel="last"`);
    return send(response, 200, rest.slice(0, perPage));
  }
  const found = REPOSITORIES.find(({ full_name }) => kind === 'repos' && full_name === `${owner}/${name}`);
  return found ? send(response, 200, found) : send(response, 404, { message: 'Not Found', status: '404' });
};

export function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}
