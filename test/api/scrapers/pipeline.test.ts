import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { codehostRepos } from '#api/scrapers/codehost-repos.ts';
import { codehostUser } from '#api/scrapers/codehost-user.ts';
import type { ScraperAnswer } from '#api/scrapers/pipeline.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import type { SharedState } from '#api/shared-state/port.ts';
import { send } from '#test/support/services/code-host-api.ts';
import { randomName } from '../../support/random-name.ts';
import { useRedis } from '../../support/use-services.ts';
import { waitFor } from '../../support/wait-for.ts';
import { openRedisState } from '../shared-state/redis-state.ts';
import { startCodeHost } from './code-host-server.ts';
import { createClock, runPipeline } from './running-pipeline.ts';

const OCTOCAT = { username: 'octocat' };
const MINUTE = 60_000;

const body = ({ answer }: ScraperAnswer) => (answer.kind === 'found' ? JSON.parse(answer.body) : answer.kind);
const failure = (fields: object) => expect.objectContaining({ name: 'UpstreamFailure', ...fields });

let redisUrl = '';
beforeAll(async () => {
  redisUrl = (await useRedis()).url;
});

const STATES: Record<string, () => Promise<SharedState>> = {
  memory: async () => createMemorySharedState(),
  Redis: () => openRedisState({ url: redisUrl, prefix: `${randomName('scrapers')}:` }),
};

describe.each(Object.keys(STATES))('with the shared state in %s', (name) => {
  async function sharedState() {
    const shared = await (STATES[name] as () => Promise<SharedState>)();
    onTestFinished(() => shared.close());
    return shared;
  }

  test('serves a cached result without upstream requests for its cache time', async () => {
    const codeHost = await startCodeHost();
    const { call, clock, counted } = runPipeline(await sharedState(), codeHost);
    const first = await call(codehostUser, OCTOCAT);
    expect(body(first).data).toMatchObject({ login: 'octocat', publicRepos: 2, url: 'https://github.com/octocat' });
    expect(first).toMatchObject({ cached: false, source: 'miss' });

    clock.pass(9 * MINUTE);
    const second = await call(codehostUser, OCTOCAT);
    expect(second).toMatchObject({ cached: true, source: 'hit' });
    expect(body(second)).toEqual(body(first));
    expect(codeHost.requests).toHaveLength(1);

    clock.pass(2 * MINUTE);
    expect(await call(codehostUser, OCTOCAT)).toMatchObject({ cached: false, source: 'miss' });
    expect(codeHost.requests).toHaveLength(2);
    expect(await counted('codehost.user')).toEqual({ miss: 2, hit: 1 });
  });

  test('equivalent queries share a result; others do not', async () => {
    const codeHost = await startCodeHost();
    const { call } = runPipeline(await sharedState(), codeHost);
    await call(codehostRepos, { username: 'octocat', page: '1', sort: 'full_name' });
    expect(await call(codehostRepos, { sort: 'full_name', page: '1', username: 'octocat' })).toMatchObject({
      cached: true,
    });
    expect(await call(codehostRepos, OCTOCAT)).toMatchObject({ cached: true });
    expect(await call(codehostRepos, { ...OCTOCAT, page: '2' })).toMatchObject({ cached: false });
    expect(await call(codehostUser, OCTOCAT)).toMatchObject({ cached: false });
  });

  test('remembers an empty result for a minute', async () => {
    const codeHost = await startCodeHost();
    const { call, clock, counted } = runPipeline(await sharedState(), codeHost);
    expect(body(await call(codehostUser, { username: 'unknown' }))).toBe('not_found');
    expect(await call(codehostUser, { username: 'unknown' })).toMatchObject({ cached: true });
    expect(codeHost.requests).toHaveLength(1);
    clock.pass(MINUTE + 1);
    expect(await call(codehostUser, { username: 'unknown' })).toMatchObject({ cached: false });
    expect(codeHost.requests).toHaveLength(2);
    expect(await counted('codehost.user')).toEqual({ miss: 2, negative: 1 });
  });

  test('identical requests in flight share one upstream call', async () => {
    const codeHost = await startCodeHost();
    const { call, counted } = runPipeline(await sharedState(), codeHost);
    const answers = await Promise.all(Array.from({ length: 50 }, () => call(codehostUser, OCTOCAT)));
    expect(codeHost.requests).toHaveLength(1);
    expect(new Set(answers.map((answer) => JSON.stringify(body(answer)))).size).toBe(1);
    expect(answers.every(({ cached }) => !cached)).toBe(true);
    expect(await counted('codehost.user')).toEqual({ miss: 1, shared: 49 });
  });

  test('serves the stale result with a mark when upstream fails, and pauses upstream requests', async () => {
    const codeHost = await startCodeHost();
    const { call, clock, counted } = runPipeline(await sharedState(), codeHost);
    const first = await call(codehostUser, OCTOCAT);
    clock.pass(11 * MINUTE);
    codeHost.answerWith((_request, response) => send(response, 500, {}));
    const old = await call(codehostUser, OCTOCAT);
    expect(old).toMatchObject({ cached: true, source: 'stale' });
    expect(body(old)).toEqual(body(first));
    expect(codeHost.requests).toHaveLength(1 + 3);

    expect(await call(codehostUser, OCTOCAT)).toMatchObject({ source: 'stale' });
    expect(codeHost.requests).toHaveLength(1 + 3);
    expect(await counted('codehost.user')).toEqual({ miss: 1, stale: 2 });

    codeHost.answerWith();
    clock.pass(11_000);
    expect(await call(codehostUser, OCTOCAT)).toMatchObject({ cached: false, source: 'miss' });
  });

  test('does not serve a result that is too old', async () => {
    const codeHost = await startCodeHost();
    const { call, clock } = runPipeline(await sharedState(), codeHost);
    await call(codehostUser, OCTOCAT);
    clock.pass(7 * 60 * MINUTE);
    codeHost.answerWith((_request, response) => send(response, 500, {}));
    await expect(call(codehostUser, OCTOCAT)).rejects.toEqual(failure({ kind: 'failed' }));
  });

  test.each([
    [500, {}, 3, 'failed'],
    [502, {}, 3, 'failed'],
    [503, { 'retry-after': '60' }, 1, 'failed'],
    [400, {}, 1, 'failed'],
    [401, {}, 1, 'failed'],
    [403, { 'x-ratelimit-remaining': '7' }, 1, 'failed'],
    [302, { location: 'http://169.254.169.254/latest/meta-data/' }, 1, 'failed'],
    [403, { 'x-ratelimit-remaining': '0', 'retry-after': '30' }, 1, 'quota'],
    [429, { 'retry-after': '30' }, 1, 'quota'],
  ])('requests upstream as often as %i %j requires: %i times', async (status, headers, asked, kind) => {
    const codeHost = await startCodeHost();
    codeHost.answerWith((_request, response) => send(response, status, { message: 'no' }, { ...headers }));
    const { call, counted } = runPipeline(await sharedState(), codeHost);
    await expect(call(codehostUser, OCTOCAT)).rejects.toEqual(failure({ kind }));
    expect(codeHost.requests).toHaveLength(asked);
    expect(await counted('codehost.user')).toEqual({ failed: 1 });
  });

  test('does not cache a failure', async () => {
    const codeHost = await startCodeHost();
    codeHost.answerWith((_request, response) => send(response, 500, {}));
    const { call } = runPipeline(await sharedState(), codeHost);
    await expect(call(codehostUser, OCTOCAT)).rejects.toEqual(failure({ kind: 'failed' }));
    codeHost.answerWith();
    expect(await call(codehostUser, OCTOCAT)).toMatchObject({ cached: false, source: 'miss' });
  });

  test.each([1, 2])('retries a connection that breaks %i times', async (times) => {
    const codeHost = await startCodeHost();
    codeHost.answerWith((request) => {
      if (codeHost.requests.length === times) codeHost.answerWith();
      request.socket.destroy();
    });
    const { call } = runPipeline(await sharedState(), codeHost);
    expect(await call(codehostUser, OCTOCAT)).toMatchObject({ cached: false });
    expect(codeHost.requests).toHaveLength(times + 1);
  });

  test.each([
    ['no JSON', '<html>'],
    ['JSON of another form', '[]'],
    ['a member of another type', '{"login":5}'],
  ])('a response with %s is an upstream failure, and not cached', async (_case, text) => {
    const codeHost = await startCodeHost();
    codeHost.answerWith((_request, response) => response.end(text));
    const { call } = runPipeline(await sharedState(), codeHost);
    await expect(call(codehostUser, OCTOCAT)).rejects.toEqual(failure({ kind: 'failed' }));
    codeHost.answerWith();
    expect(await call(codehostUser, OCTOCAT)).toMatchObject({ cached: false });
  });

  test('removes undocumented members of a response', async () => {
    const codeHost = await startCodeHost();
    const { call } = runPipeline(await sharedState(), codeHost);
    const text = JSON.stringify(body(await call(codehostUser, OCTOCAT)));
    expect(text).not.toContain('octocat@github.com');
    expect(text).not.toContain('node_id');
  });

  test('sends the token and the request id, and nothing of the client', async () => {
    const codeHost = await startCodeHost();
    const { call } = runPipeline(await sharedState(), codeHost, { token: 'token-of-the-test' });
    await call(codehostUser, OCTOCAT, 'request-1234');
    expect(codeHost.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer token-of-the-test',
      'x-request-id': 'request-1234',
      'x-github-api-version': '2022-11-28',
    });
  });

  test('requests each query from upstream once for any order of calls', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom('octocat', 'unknown', 'someone'), fc.constantFrom('1', '2', '3')), {
          maxLength: 30,
        }),
        async (questions) => {
          const codeHost = await startCodeHost();
          const { call } = runPipeline(await sharedState(), codeHost);
          await Promise.all(questions.map(([username, page]) => call(codehostRepos, { username, page })));
          expect(codeHost.requests).toHaveLength(new Set(questions.map(String)).size);
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('two processes on one Redis', () => {
  async function twoProcesses() {
    const codeHost = await startCodeHost();
    const clock = createClock();
    const prefix = `${randomName('scrapers')}:`;
    const make = async () => {
      const shared = await openRedisState({ url: redisUrl, prefix });
      onTestFinished(() => shared.close());
      return { ...runPipeline(shared, codeHost, { clock }), asksForLock: vi.spyOn(shared.locks, 'acquire') };
    };
    return { codeHost, clock, one: await make(), other: await make() };
  }

  test('share cached results', async () => {
    const { codeHost, clock, one, other } = await twoProcesses();
    await one.call(codehostUser, OCTOCAT);
    expect(await other.call(codehostUser, OCTOCAT)).toMatchObject({ cached: true });
    clock.pass(11 * MINUTE);
    codeHost.answerWith((_request, response) => send(response, 500, {}));
    expect(await other.call(codehostUser, OCTOCAT)).toMatchObject({ cached: true, source: 'stale' });
  });

  test('share one upstream call', async () => {
    const { codeHost, one, other } = await twoProcesses();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? one : other).call(codehostUser, OCTOCAT)),
    );
    expect(codeHost.requests).toHaveLength(1);
    expect(answers.every(({ answer }) => answer.kind === 'found')).toBe(true);
  });

  test('share the failure of one call', async () => {
    const { codeHost, one, other } = await twoProcesses();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    codeHost.answerWith((_request, response) => void held.then(() => send(response, 429, {}, { 'retry-after': '30' })));
    const first = one.call(codehostUser, OCTOCAT);
    await waitFor('the first call to arrive', () => codeHost.requests.length === 1);
    const second = other.call(codehostUser, OCTOCAT);
    // After its second attempt it waits for the result of the first.
    await waitFor('the second call to wait', () => other.asksForLock.mock.calls.length >= 2);
    release();
    await expect(first).rejects.toEqual(failure({ kind: 'quota', retryAfterMs: 30_000 }));
    await expect(second).rejects.toEqual(failure({ kind: 'quota', retryAfterMs: 30_000 }));
    expect(codeHost.requests).toHaveLength(1);
  });

  test('that stop during a call leave it to another', async () => {
    const { codeHost, one, other } = await twoProcesses();
    codeHost.answerWith(() => {});
    const first = one.call(codehostUser, OCTOCAT);
    await waitFor('the first call to arrive', () => codeHost.requests.length === 1);
    const second = other.call(codehostUser, OCTOCAT);
    codeHost.answerWith();
    one.pipeline.close();
    await expect(first).rejects.toEqual(failure({ kind: 'failed' }));
    expect(await second).toMatchObject({ cached: false, source: 'miss' });
  });
});
