import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Caller } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import { createAddressLimiter } from '#api/http/limits/address-limiter.ts';
import { createPollLimiter } from '#api/http/limits/poll-limiter.ts';
import type { Refusal } from '#api/http/limits/refusal.ts';
import type { GuardDeps } from '#api/http/plugins/guard.ts';
import { createMemorySharedState } from '#api/shared-state/memory.ts';
import { useRedis } from '#test/support/use-services.ts';
import { ADMIN_KEY, issuesOf, OPERATOR_KEY, operatorGuard, runApp } from '../../running-app.ts';
import { openRedisState } from '../../shared-state/redis-state.ts';

const user = { userId: 'u', username: 'u', email: 'u@example.org' };
const CALLERS: Record<string, Caller> = {
  'user-session': { kind: 'session', role: 'user', sessionId: 's', ...user },
  'analyst-session': { kind: 'session', role: 'analyst', sessionId: 's', ...user },
  'admin-session': { kind: 'session', role: 'admin', sessionId: 's', ...user },
  'reading-key': { kind: 'key', role: 'analyst', keyId: 'k', scopes: ['detections:read'], ...user },
  'writing-key': { kind: 'key', role: 'analyst', keyId: 'k', scopes: ['events:write'], ...user },
  // A key keeps its scopes when its owner loses the role that they require.
  'outranked-key': { kind: 'key', role: 'user', keyId: 'k', scopes: ['detections:read'], ...user },
};

function guardFor(overrides: Partial<GuardDeps> = {}): GuardDeps {
  const operator = operatorGuard();
  return {
    ...operator,
    verifyKey: async (key) => {
      const caller = CALLERS[key];
      return caller?.kind === 'key' ? caller : undefined;
    },
    authenticateSession: async (cookie) => {
      const caller = CALLERS[cookie];
      return caller?.kind === 'session' ? caller : undefined;
    },
    ...overrides,
  };
}

/** Routes with each kind of access. */
async function guarded(overrides: Partial<GuardDeps> = {}) {
  const handled: string[] = [];
  const running = await runApp({
    deps: { guard: guardFor(overrides) },
    prepare(app) {
      const kinds = {
        '/anyone': { by: 'anyone' },
        '/session': { by: 'session' },
        '/key': { by: 'key', scope: 'events:write' },
        '/either': { by: 'key-or-session', scope: 'detections:read' },
        '/api/admin/thing': { by: 'admin' },
        // A route under /admin that declares no access is protected by its path.
        '/api/dashboard/forgotten': { by: 'anyone' },
        '/machine': { by: 'admin-key' },
      } as const;
      for (const [url, access] of Object.entries(kinds))
        app.route({
          method: ['GET', 'POST'],
          url,
          config: { access },
          handler: async (request) => {
            handled.push(url);
            return { kind: request.caller?.kind ?? 'none' };
          },
        });
    },
  });
  const as = (credential: string): Record<string, string> => {
    if (credential === 'admin-key') return { 'x-admin-key': ADMIN_KEY };
    if (credential.endsWith('-session')) return { cookie: `a=b; trapline-session=${credential}` };
    return credential === '' ? {} : { 'x-api-key': credential };
  };
  return {
    ...running,
    handled,
    call: (path: string, credential: string, init: RequestInit = {}) =>
      fetch(running.url + path, {
        ...init,
        headers: { ...as(credential), ...(init.headers as Record<string, string>) },
      }),
  };
}

describe('access (rule 1: administration is closed at the edge, and each route checks again)', () => {
  test.each([
    ['/anyone', { '': 200, 'user-session': 200, nonsense: 200 }],
    [
      '/session',
      {
        '': 401,
        'user-session': 200,
        'admin-session': 200,
        'writing-key': 401,
        [OPERATOR_KEY]: 401,
        'no-session': 401,
      },
    ],
    [
      '/key',
      { '': 401, 'writing-key': 200, 'reading-key': 403, [OPERATOR_KEY]: 200, 'admin-session': 401, nonsense: 401 },
    ],
    [
      '/either',
      {
        '': 401,
        'reading-key': 200,
        'writing-key': 403,
        'outranked-key': 403,
        'user-session': 403,
        'analyst-session': 200,
        'admin-session': 200,
        [OPERATOR_KEY]: 200,
      },
    ],
    [
      '/api/admin/thing',
      {
        '': 401,
        'user-session': 403,
        'analyst-session': 403,
        'admin-session': 200,
        'reading-key': 401,
        [OPERATOR_KEY]: 200,
      },
    ],
    ['/api/dashboard/forgotten', { '': 401, 'user-session': 403, 'admin-session': 200 }],
    ['/admin', { '': 401, 'user-session': 403, 'admin-session': 404 }],
    ['/dashboard/x', { '': 401, 'analyst-session': 403 }],
    ['/admin?tab=1', { '': 401, 'user-session': 403, 'admin-session': 404 }],
    // The same paths in other notations.
    ['/%61dmin', { '': 401, 'user-session': 403, 'admin-session': 404 }],
    ['/dashboard%2Fx', { '': 401, 'analyst-session': 403 }],
    ['/api/%64ashboard/forgotten', { '': 401, 'user-session': 403, 'admin-session': 200 }],
    ['/anyone?next=/%61dmin', { '': 200 }],
    ['/machine', { '': 401, 'admin-session': 401, [OPERATOR_KEY]: 401, 'admin-key': 200 }],
  ])('%s', async (path, expected) => {
    const { call } = await guarded();
    const statuses: Record<string, number> = {};
    for (const credential of Object.keys(expected)) statuses[credential] = (await call(path, credential)).status;
    expect(statuses).toEqual(expected);
  });

  // In a form that our clients never send.
  test.each([
    '/admin#x',
    '/dashboard#?x',
    'http://trapline.example.org/api/dashboard/forgotten',
    'HTTP://trapline.example.org/anyone/../api/%64ashboard/forgotten?x',
  ])('also closes the request target %s', async (target) => {
    const { url } = await guarded();
    const sent = request(url, { path: target }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(401);
  });

  test.each([
    ['/session', 'session'],
    ['/key', 'x-api-key: KEY'],
    ['/api/admin/thing', 'operator key'],
    ['/machine', 'x-admin-key: KEY'],
  ])('%s reports what is missing', async (path, missing) => {
    const { call } = await guarded();
    const [issue] = await issuesOf(await call(path, ''));
    expect(issue).toMatchObject({ code: 'unauthorized', message: expect.stringContaining(missing) });
  });

  test.each([
    [
      '/either',
      'user-session',
      'you need the role analyst to read events, detections and dead letters',
      'detections:read',
    ],
    ['/either', 'writing-key', 'the key needs the scope detections:read (role analyst)', 'detections:read'],
    ['/api/admin/thing', 'analyst-session', 'you need the role admin', 'admin'],
  ])('%s rejects a %s with the missing scope', async (path, credential, message, scope) => {
    const { call } = await guarded();
    const response = await call(path, credential);
    expect(response.headers.get('www-authenticate')).toBe(`Bearer error="insufficient_scope", scope="${scope}"`);
    expect(await issuesOf(response)).toEqual([{ field: '<root>', message, code: 'forbidden', severity: 'error' }]);
  });

  test('rejects a route without an access declaration at start', async () => {
    await expect(
      runApp({ deps: { guard: guardFor() }, prepare: (app) => void app.get('/open', async () => ({})) }),
    ).rejects.toThrow('GET /open does not say who may call it');
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    // A sibling host: SameSite=Lax lets its requests carry the cookie.
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'own' }, 200],
    [{}, 200],
  ])('a change with a session and %j returns %d', async (headers, status) => {
    const { call, url } = await guarded();
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value === 'own' ? url : value]),
    );
    expect((await call('/session', 'user-session', { method: 'POST', headers: sent })).status).toBe(status);
    expect((await call('/session', 'user-session', { headers: sent })).status).toBe(200);
  });
});

describe('the order of checks', () => {
  const refusal: Refusal = {
    code: 'rate_limited',
    message: 'too many requests',
    retryAfterSeconds: 300,
    headers: { 'ratelimit-policy': '"default";q=100;w=60' },
    began: true,
  };

  test('rejects a blocked address before authentication', async () => {
    const asked: string[] = [];
    const { call, handled } = await guarded({
      limits: { ...operatorGuard().limits, refuseBlocked: async () => refusal },
      verifyKey: async () => void asked.push('key') as undefined,
    });
    const response = await call('/key', 'writing-key');
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('300');
    expect(response.headers.get('ratelimit-policy')).toBe('"default";q=100;w=60');
    expect([...asked, ...handled]).toEqual([]);
    expect((await call('/healthz', '')).status).toBe(200);
    expect((await call('/key', OPERATOR_KEY)).status).toBe(200);
  });

  test('concurrent requests that were counted pass, also when one of them starts the block', async () => {
    const { url, prefix } = await useRedis();
    const states = [await openRedisState({ url, prefix }), await openRedisState({ url, prefix })];
    const [elsewhere, here] = states.map((shared) => createAddressLimiter({ shared }));
    if (elsewhere === undefined || here === undefined) throw new Error('two limiters are expected');
    for (const address of ['127.0.0.1', '127.0.0.1']) await elsewhere.count(address);
    const { app } = await guarded({ limits: here });
    const responses = await Promise.all(Array.from({ length: 150 }, () => app.inject('/anyone')));
    const statuses = responses.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(98);
    expect(statuses.filter((status) => status === 429)).toHaveLength(52);
    await Promise.all(states.map((state) => state.close()));
  });

  test('rejects an address that guesses keys before it verifies a key', async () => {
    const verified: string[] = [];
    const invalid: string[] = [];
    const { call } = await guarded({
      limits: {
        ...operatorGuard().limits,
        async checkKey(address, verify) {
          if (invalid.length >= 2) return { refusal };
          const found = await verify();
          if (found === undefined) invalid.push(address);
          return found === undefined ? {} : { found };
        },
      },
      verifyKey: async (key) => void verified.push(key) as undefined,
    });
    const statuses = [];
    for (let tries = 0; tries < 4; tries++) statuses.push((await call('/key', `wrong-${tries}`)).status);
    expect(statuses).toEqual([401, 401, 429, 429]);
    expect(verified).toEqual(['wrong-0', 'wrong-1']);
  });

  test('verifies the key before the window counts, and a rejected request gets the remaining limit', async () => {
    const steps: string[] = [];
    const { call } = await guarded({
      verifyKey: async () => {
        steps.push('verify');
        return CALLERS['writing-key'] as never;
      },
      limits: {
        ...operatorGuard().limits,
        count: async () => {
          steps.push('count');
          return steps.length > 2 ? { headers: {}, refusal } : { headers: { ratelimit: '"default";r=0;t=60' } };
        },
      },
    });
    const first = await call('/key', 'k');
    expect([first.status, first.headers.get('ratelimit')]).toEqual([200, '"default";r=0;t=60']);
    expect((await call('/key', 'k')).status).toBe(429);
    expect(steps).toEqual(['verify', 'count', 'verify', 'count']);
  });

  test('reports a breach of the limit once, also in a process that does not know the address yet', async () => {
    const shared = { ...createMemorySharedState(), state: () => 'ok' as const };
    const general = { limit: 2, windowMs: 60_000 };
    const elsewhere = createAddressLimiter({ shared }, { general });
    await elsewhere.count('127.0.0.1');
    await elsewhere.count('127.0.0.1');
    const reported: string[] = [];
    const { call } = await guarded({
      limits: createAddressLimiter({ shared }, { general }),
      report: ({ kind }) => void reported.push(kind),
    });
    expect([(await call('/anyone', '')).status, (await call('/anyone', '')).status]).toEqual([429, 429]);
    expect(reported).toEqual(['limit-breach']);
  });
});

/**
 * Regression: six waits that polled every two seconds exceeded the limit of their address, which was then blocked for
 * five minutes. The state of executions that a key may read has its own budget.
 */
describe('polls', () => {
  const KEY = { 'x-api-key': 'reading-key' };

  async function polled({ general = 5, polls = 20 } = {}) {
    const shared = createMemorySharedState();
    const reported: string[] = [];
    const running = await runApp({
      deps: {
        guard: guardFor({
          limits: createAddressLimiter({ shared }, { general: { limit: general, windowMs: 60_000 } }),
          polls: createPollLimiter({ shared }, { limit: polls, windowMs: 60_000 }),
          report: ({ kind }) => void reported.push(kind),
        }),
      },
      prepare(app) {
        const access = { by: 'key-or-session', scope: 'detections:read' } as const;
        app.get<{ Params: { id: string } }>(
          '/polled/:id',
          { config: { access, limiting: 'poll' } },
          async (request) => {
            const { id } = request.params;
            if (id === 'away') throw apiError('unavailable', 'a store is unavailable');
            if (id !== 'known') throw apiError('not_found', 'there is no such thing');
            return { id };
          },
        );
        app.get('/counted', { config: { access } }, async () => ({}));
      },
    });
    const statusOf = async (path: string, headers: Record<string, string> = KEY) =>
      (await fetch(running.url + path, { headers })).status;
    const times = async (count: number, path: string, headers?: Record<string, string>) => {
      const statuses = [];
      for (let made = 0; made < count; made++) statuses.push(await statusOf(path, headers));
      return statuses;
    };
    return { ...running, reported, times, statusOf };
  }

  test('of a key count for the key, and not for the address', async () => {
    const { times, statusOf, url } = await polled();
    const answer = await fetch(`${url}/polled/known`, { headers: KEY });
    expect(answer.headers.get('ratelimit-policy')).toBe('"polls";q=20;w=60');
    expect(answer.headers.get('ratelimit')).toBe('"polls";r=19;t=60');
    expect(await times(19, '/polled/known')).toEqual(Array(19).fill(200));
    const refused = await fetch(`${url}/polled/known`, { headers: KEY });
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await issuesOf(refused)).toEqual([
      expect.objectContaining({ code: 'rate_limited', message: expect.stringContaining('more than 20 times in 60 s') }),
    ]);
    // Nothing is blocked, and other routes keep their own budget.
    expect(await statusOf('/counted')).toBe(200);
  });

  test('for invisible executions count for the address, so that trying ids is limited', async () => {
    const { times, reported } = await polled();
    expect(await times(7, '/polled/guessed')).toEqual([404, 404, 404, 404, 404, 404, 429]);
    expect(reported.filter((kind) => kind === 'limit-breach')).toHaveLength(1);
    expect(await times(1, '/polled/known')).toEqual([429]);
  });

  test('without a valid key or scope count for the address', async () => {
    for (const headers of [
      {},
      { 'x-api-key': 'wrong' },
      { 'x-api-key': 'writing-key' },
      { cookie: 'trapline-session=admin-session' },
    ]) {
      const { times } = await polled();
      expect((await times(8, '/polled/known', headers as Record<string, string>)).slice(-2)).toEqual([429, 429]);
    }
  });

  test('that fail because of an unavailable store do not count for the address', async () => {
    const { times } = await polled();
    expect(await times(10, '/polled/away')).toEqual(Array(10).fill(503));
    expect(await times(1, '/counted')).toEqual([200]);
  });
});

describe('bodies', () => {
  test.each([
    ['text/plain', '{}', 415],
    ['application/x-www-form-urlencoded', 'a=b', 415],
    ['multipart/form-data; boundary=x', '--x--', 415],
    ['application/json', '{}', 200],
    ['application/json', '', 200],
    ['application/json', '{', 400],
    ['application/json', '{"__proto__":{"role":"admin"}}', 400],
    ['application/json', `${'['.repeat(256)}${']'.repeat(256)}`, 200],
    ['application/json', `${'['.repeat(257)}${']'.repeat(257)}`, 400],
    ['application/json', JSON.stringify('x'.repeat(2 ** 20)), 413],
  ])('%s %.20s returns %d', async (type, body, status) => {
    const { call } = await guarded();
    const response = await call('/anyone', '', { method: 'POST', body, headers: { 'content-type': type } });
    expect(response.status).toBe(status);
  });

  test('accepts a POST without a body', async () => {
    const { call } = await guarded();
    expect((await call('/anyone', '', { method: 'POST' })).status).toBe(200);
  });
});
