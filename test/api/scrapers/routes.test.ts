import { expect, test } from 'vitest';
import type { RequestRecord } from '#api/http/request-record.ts';
import type { SecurityEvent } from '#api/http/security-events.ts';
import { scraperRoutes } from '#api/scrapers/routes.ts';
import { SCRAPERS } from '#api/scrapers/scrapers.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { send } from '#test/support/services/code-host-api.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { issuesOf, operatorGuard, runApp } from '../running-app.ts';
import { startCodeHost } from './code-host-server.ts';
import { runPipeline } from './running-pipeline.ts';

async function running() {
  const codeHost = await startCodeHost();
  const events: SecurityEvent[] = [];
  const records: RequestRecord[] = [];
  const configs: Record<string, object | undefined> = {};
  const { pipeline, clock } = runPipeline(createMemorySharedState(), codeHost);
  const app = await runApp({
    deps: {
      guard: { ...operatorGuard(), report: (event) => events.push(event) },
      requestSinks: [(record) => records.push(record)],
    },
    prepare(server) {
      server.addHook('onRoute', ({ url, config }) => {
        configs[url] = config;
      });
      scraperRoutes(server, { scrapers: SCRAPERS, pipeline });
    },
  });
  return { ...app, codeHost, events, clock, configs, records };
}

test('steps 1 and 2 of the pipeline: every scraper requires a key with its scope, and is counted by address', async () => {
  const { configs, url } = await running();
  for (const { path } of SCRAPERS) {
    expect(configs[path]).toMatchObject({ access: { by: 'key', scope: 'scrapers' } });
    expect(configs[path]).not.toHaveProperty('limiting');
    expect((await fetch(url + path)).status).toBe(401);
  }
});

test('GET /api/codehost/user: returns a profile, from upstream and then from the cache', async () => {
  const { get } = await running();
  const first = await get('/api/codehost/user?username=octocat');
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('application/json; charset=utf-8');
  // The code host sends times in seconds; ours have milliseconds.
  const data = { login: 'octocat', createdAt: '2008-01-14T04:33:35.000Z', updatedAt: '2008-01-14T04:33:35.000Z' };
  expect(await first.json()).toMatchObject({ data, cached: false });
  const second = (await (await get('/api/codehost/user?username=octocat')).json()) as object;
  expect(second).toMatchObject({ data: { login: 'octocat' }, cached: true });
  expect(second).not.toHaveProperty('stale');
});

test('GET /api/codehost/repos: returns pages in the requested order', async () => {
  const { get, codeHost } = await running();
  const first = await (await get('/api/codehost/repos?username=octocat&perPage=2&sort=updated')).json();
  expect(first).toMatchObject({
    data: [{ name: 'boysenberry', license: 'MIT', stars: 80 }, { name: 'hello-world' }],
    pagination: { page: 1, perPage: 2, nextPage: 2 },
    cached: false,
  });
  const second = await (await get('/api/codehost/repos?username=octocat&perPage=2&page=2')).json();
  expect(second).toMatchObject({ data: [{ name: 'spoon.knife' }], pagination: { page: 2, nextPage: null } });
  expect(codeHost.requests.map(({ url }) => url)).toEqual([
    '/users/octocat/repos?page=1&per_page=2&sort=updated',
    '/users/octocat/repos?page=2&per_page=2&sort=full_name',
  ]);
});

test('GET /api/codehost/repo: returns one repository', async () => {
  const { get } = await running();
  const answer = await (await get('/api/codehost/repo?owner=octocat&name=spoon.knife')).json();
  const pushedAt = '2011-01-26T19:06:43.000Z';
  expect(answer).toMatchObject({
    data: { fullName: 'octocat/spoon.knife', defaultBranch: 'main', pushedAt },
    cached: false,
  });
});

test.each([
  ['an unknown parameter', '/user?username=octocat&verbose=1'],
  ['a repeated parameter', '/user?username=octocat&username=other'],
  ['a repeated number', '/repos?username=octocat&page=1&page=1'],
  ['an operator', '/user?username[$ne]=x'],
  ['an operator next to the parameter', '/user?username=octocat&$where=1'],
  ['an encoded operator', '/user?username=octocat&username%5B%24gt%5D='],
  ['a prototype', '/user?username=octocat&__proto__=1'],
  ['nothing', '/user'],
  ['an empty value', '/user?username='],
  ['an oversized value', `/user?username=${'a'.repeat(40)}`],
  ['a huge value', `/user?username=${'a'.repeat(10_000)}`],
  ['a path', '/user?username=../repos'],
  ['an encoded path', '/user?username=octocat%2Frepos'],
  ['a way up', '/repo?owner=octocat&name=..'],
  ['a line break', '/user?username=octocat%0d%0ahost:x'],
  ['a null byte', '/user?username=octocat%00'],
  ['page 0', '/repos?username=octocat&page=0'],
  ['a page with a zero before it', '/repos?username=octocat&page=01'],
  ['a hexadecimal page', '/repos?username=octocat&page=0x1'],
  ['a page with a space', '/repos?username=octocat&page=%201'],
  ['too many a page', '/repos?username=octocat&perPage=101'],
  ['an unknown order', '/repos?username=octocat&sort=stars'],
])('step 3: %s is a 400 without an upstream request', async (_case, query) => {
  const { get, codeHost } = await running();
  const response = await get(`/api/codehost${query}`);
  expect(response.status).toBe(400);
  expect(await issuesOf(response)).not.toHaveLength(0);
  expect(codeHost.requests).toHaveLength(0);
});

test('a parameter that looks like an operator is a security event', async () => {
  const { get, events } = await running();
  await get('/api/codehost/user?username[$ne]=x');
  await get('/api/codehost/user?username=octocat');
  await waitFor('the report', () => events.length > 0);
  expect(events).toMatchObject([{ kind: 'injection', subject: '/api/codehost/user' }]);
});

test('step 9: the log record of a call has the scraper and the source', async () => {
  const { get, records, codeHost } = await running();
  for (const name of ['octocat', 'octocat', 'unknown', 'unknown']) await get(`/api/codehost/user?username=${name}`);
  codeHost.answerWith((_request, response) => send(response, 500, {}));
  await get('/api/codehost/user?username=someone');
  await waitFor('the records', () => records.length === 5);
  expect(records.map(({ scraper, cache }) => `${scraper} ${cache}`)).toEqual(
    ['miss', 'hit', 'miss', 'negative', 'failed'].map((source) => `codehost.user ${source}`),
  );
});

test('unknown upstream: returns 404, also from the cache', async () => {
  const { get, codeHost } = await running();
  for (let i = 0; i < 2; i++) expect((await get('/api/codehost/user?username=unknown')).status).toBe(404);
  expect(codeHost.requests).toHaveLength(1);
});

test('upstream failing after the retries: returns 502 without its content', async () => {
  const { get, codeHost } = await running();
  codeHost.answerWith((_request, response) => send(response, 500, { message: 'stack trace of upstream' }));
  const response = await get('/api/codehost/user?username=octocat');
  expect(response.status).toBe(502);
  expect(await response.text()).not.toContain('stack trace');
  expect(codeHost.requests).toHaveLength(3);
});

test('over the quota of upstream: returns 503 with Retry-After, without another attempt', async () => {
  const { get, codeHost } = await running();
  codeHost.answerWith((_request, response) =>
    send(response, 403, {}, { 'x-ratelimit-remaining': '0', 'retry-after': '30' }),
  );
  const response = await get('/api/codehost/user?username=octocat');
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('30');
  expect(codeHost.requests).toHaveLength(1);
});

test('marks a stale result', async () => {
  const { get, codeHost, clock } = await running();
  await get('/api/codehost/user?username=octocat');
  clock.pass(11 * 60_000);
  codeHost.answerWith((_request, response) => send(response, 500, {}));
  const response = await get('/api/codehost/user?username=octocat');
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ data: { login: 'octocat' }, cached: true, stale: true });
});

test('the description has the parameters and the responses', async () => {
  const { app } = await running();
  const { paths } = app.swagger() as { paths: Record<string, { get: { parameters: object[]; responses: object } }> };
  const repos = paths['/api/codehost/repos']?.get;
  expect(repos?.parameters).toMatchObject([
    { name: 'username', required: true },
    { name: 'page', schema: { type: 'integer', minimum: 1, default: 1 } },
    { name: 'perPage' },
    { name: 'sort' },
  ]);
  expect(Object.keys(repos?.responses ?? {})).toEqual(['200', '400', '401', '403', '404', '429', '431', '502', '503']);
});
