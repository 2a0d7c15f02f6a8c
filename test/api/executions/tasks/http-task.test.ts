import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpTask } from '#api/executions/engine/contract/call-task.ts';
import { TaskFailure } from '#api/executions/engine/contract/task-failure.ts';
import type { WorkflowError } from '#api/executions/engine/contract/workflow-error.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { createHttpExchange, type HttpTaskConfig } from '#api/executions/tasks/http/http-exchange.ts';
import { createHttpTask } from '#api/executions/tasks/http/http-task.ts';
import type { TaskContext } from '#api/executions/tasks/port.ts';
import { createRedaction } from '#api/executions/tasks/redact.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { startWebServer } from '../../outbound/web-server.ts';
import { taskContext } from './task-context.ts';

const KNOWN: Readonly<Record<string, string>> = {
  token: 'tok-3f9a-secret',
  login: JSON.stringify({ username: 'ann', password: 'pässword&1' }),
};

interface RunnerConfig extends HttpTaskConfig {
  readonly allow?: readonly string[];
  /** The hosts to which the secrets may be sent. */
  readonly hosts?: readonly string[] | null;
}

function runner(config: RunnerConfig = {}) {
  const { allow = ['127.0.0.0/8'], hosts = null, ...rest } = config;
  const fetch = createOutboundFetch({ allow });
  onTestFinished(() => fetch.close());
  const resolveSecrets = async (_owner: string, names: readonly string[]) =>
    new Map(
      names.flatMap((name) => (KNOWN[name] === undefined ? [] : [[name, { value: KNOWN[name], hosts }] as const])),
    );
  const files = { list: async () => [], find: async () => undefined, read: async () => Buffer.alloc(0) };
  return createHttpTask(createHttpExchange({ fetch, resolveSecrets, files }, rest));
}

function task(port: number, over: Partial<HttpTask> = {}): HttpTask {
  return {
    kind: 'http',
    method: 'GET',
    endpoint: `http://127.0.0.1:${port}/things`,
    headers: {},
    query: {},
    body: undefined,
    output: 'content',
    redirect: false,
    ...over,
  };
}

async function errorOf(work: Promise<JsonValue>): Promise<WorkflowError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof TaskFailure) return error.error;
    throw error;
  }
  throw new Error('the task did not fail');
}

/** Responds with the request as JSON. */
const mirror: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
};
const answerWith =
  (status: number, type: string, body: string | Buffer): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': type });
    response.end(body);
  };

const SECRETS: Partial<TaskContext> = { secretNames: ['token', 'login', 'unset'] };

describe('the request', () => {
  test('has method, query, headers, JSON body, and the stable key', async () => {
    const { port } = await startWebServer(mirror);
    const output = await runner()(
      task(port, { method: 'post', query: { q: 'a b', n: '2' }, headers: { 'X-One': '1' }, body: { a: [1, 'ü'] } }),
      taskContext(),
    );
    expect(output).toMatchObject({
      method: 'POST',
      url: '/things?q=a+b&n=2',
      body: '{"a":[1,"ü"]}',
      headers: { 'x-one': '1', 'content-type': 'application/json', 'idempotency-key': 'exec_1:/do/0/call' },
    });
  });

  test('has text unchanged, no body with GET, and headers of the definition before ours', async () => {
    const { port } = await startWebServer(mirror);
    const run = runner();
    const headers = { 'idempotency-key': 'mine', 'content-type': 'application/x-thing' };
    expect(await run(task(port, { method: 'PUT', body: 'plain', headers }), taskContext())).toMatchObject({
      body: 'plain',
      headers,
    });
    expect(await run(task(port, { body: { a: 1 } }), taskContext())).toMatchObject({ body: '' });
  });

  test('is rejected with an invalid method or address', async () => {
    const run = runner();
    expect(await errorOf(run(task(1, { method: 'TRACE' }), taskContext()))).toMatchObject({ status: 400 });
    expect(await errorOf(run(task(1, { endpoint: 'not an address' }), taskContext()))).toMatchObject({ status: 400 });
  });
});

describe('secrets', () => {
  test('are sent as defined, and never returned', async () => {
    const { port, requests } = await startWebServer(mirror);
    const output = await runner()(
      task(port, {
        method: 'POST',
        headers: { 'x-token': { $secret: 'token' } },
        query: { key: { $secret: 'token' } },
        authentication: { scheme: 'basic', secret: 'login' },
        body: { deep: [{ token: { $secret: 'token' } }] },
        output: 'response',
      }),
      taskContext(SECRETS),
    );
    const basic = Buffer.from('ann:pässword&1').toString('base64');
    expect(requests[0]?.headers).toMatchObject({ 'x-token': KNOWN.token, authorization: `Basic ${basic}` });
    expect(requests[0]?.url).toBe(`/things?key=${KNOWN.token}`);
    expect(output).toMatchObject({ content: { body: '{"deep":[{"token":"[secret]"}]}', url: '/things?key=[secret]' } });
    expect(output).toMatchObject({ request: { headers: { 'x-token': { $secret: 'token' } } } });
    for (const form of [KNOWN.token, 'pässword', basic, encodeURIComponent('pässword&1')])
      expect(JSON.stringify(output)).not.toContain(form);
  });

  test('a bound secret is sent only to its hosts', async () => {
    const { port, requests } = await startWebServer(mirror);
    const other = await startWebServer(mirror);
    const run = runner({ hosts: [`http://127.0.0.1:${port}`] });
    const inBody = { method: 'POST', body: { deep: [{ $secret: 'token' }] } };
    const inHeader = { headers: { 'x-token': { $secret: 'token' } } };
    const inQuery = { query: { key: { $secret: 'token' } } };
    const inAuthentication = { authentication: { scheme: 'basic', secret: 'login' } as const };
    const inDigest = { authentication: { scheme: 'digest', secret: 'login' } as const };
    for (const use of [inBody, inHeader, inQuery, inAuthentication, inDigest]) {
      await run(task(port, use), taskContext(SECRETS));
      const error = await errorOf(run(task(other.port, use), taskContext(SECRETS)));
      expect(error).toMatchObject({ type: expect.stringMatching(/authorization$/), status: 403 });
      expect(error.detail).toMatch(
        /^the secret (token|login) may not be sent to 127.0.0.1: its owner chose other hosts$/,
      );
    }
    expect(other.requests).toEqual([]);
    expect(requests.length).toBeGreaterThanOrEqual(5);
    // Without a secret, the task may call any host.
    await run(task(other.port), taskContext(SECRETS));
    expect(other.requests).toHaveLength(1);
  });

  test('a bound secret is not sent without TLS, unless its owner permits it', async () => {
    const { port, requests } = await startWebServer(mirror);
    for (const hosts of [['127.0.0.1'], [`127.0.0.1:${port}`], ['http://127.0.0.1:1', '127.0.0.1']]) {
      const headers = { 'x-token': { $secret: 'token' } };
      const error = await errorOf(runner({ hosts })(task(port, { headers }), taskContext(SECRETS)));
      expect(error).toMatchObject({ type: expect.stringMatching(/authorization$/), status: 403 });
      expect(error.detail).toBe(
        'the secret token may not be sent to 127.0.0.1 without TLS: its owner chose no http:// host',
      );
    }
    expect(requests).toEqual([]);
  });

  test('a bearer token is removed from an error that repeats it', async () => {
    const { port } = await startWebServer((request, response) => {
      response.statusCode = 403;
      response.end(`no entry for ${request.headers.authorization}`);
    });
    const authentication = { scheme: 'bearer', secret: 'token' } as const;
    const error = await errorOf(runner()(task(port, { authentication }), taskContext(SECRETS)));
    expect(error).toMatchObject({ status: 403, instance: '/do/0/call' });
    expect(error.detail).toContain('no entry for Bearer [secret]');
    expect(JSON.stringify(error)).not.toContain(KNOWN.token);
  });

  test('undeclared and missing secrets are errors, and nothing is sent', async () => {
    const { port, requests } = await startWebServer(mirror);
    const run = runner();
    const of = (name: string) => task(port, { headers: { 'x-token': { $secret: name } } });
    expect((await errorOf(run(of('token'), taskContext()))).detail).toContain('not declared');
    expect(await errorOf(run(of('unset'), taskContext(SECRETS)))).toMatchObject({
      status: 403,
      detail: expect.stringContaining('not set'),
    });
    const basic = { scheme: 'basic', secret: 'token' } as const;
    expect((await errorOf(run(task(port, { authentication: basic }), taskContext(SECRETS)))).status).toBe(400);
    expect(requests).toEqual([]);
  });
});

test('finds secrets in bytes before they become base64', async () => {
  const { port } = await startWebServer((request, response) => {
    response.setHeader('content-type', 'application/octet-stream');
    response.end(`.${request.headers['x-token']}`);
  });
  for (const output of ['raw', 'content'] as const) {
    const headers = { 'x-token': { $secret: 'token' } };
    const encoded = await runner()(task(port, { headers, output }), taskContext(SECRETS));
    expect(Buffer.from(String(encoded), 'base64').toString()).toBe('.[secret]');
  }
});

describe('the response', () => {
  test.each([
    ['application/json', '{"a":1}', { a: 1 }],
    ['application/problem+json; charset=utf-8', '[1]', [1]],
    ['text/plain', 'text', 'text'],
    ['application/json', '{broken', '{broken'],
    ['application/xml', '<a/>', '<a/>'],
    ['application/octet-stream', Buffer.from([0, 255]), 'AP8='],
    ['application/json', '', null],
  ])('%s %s', async (type, body, expected) => {
    const { port } = await startWebServer(answerWith(200, type, body));
    expect(await runner()(task(port), taskContext())).toEqual(expected);
  });

  test('is returned as raw bytes or with status and headers', async () => {
    const { port } = await startWebServer(answerWith(201, 'application/json', '{"a":1}'));
    const run = runner();
    expect(await run(task(port, { output: 'raw' }), taskContext())).toBe(Buffer.from('{"a":1}').toString('base64'));
    expect(await run(task(port, { output: 'response', query: { q: '1' } }), taskContext())).toMatchObject({
      request: { method: 'GET', uri: `http://127.0.0.1:${port}/things` },
      statusCode: 201,
      headers: { 'content-type': 'application/json' },
      content: { a: 1 },
    });
  });

  test.each([404, 429, 500, 503])('with status %i is a communication error', async (status) => {
    const { port } = await startWebServer(answerWith(status, 'application/json', '{"why":"because"}'));
    expect(await errorOf(runner()(task(port), taskContext()))).toMatchObject({
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication',
      status,
      title: 'Communication Error',
      detail: `GET http://127.0.0.1:${port}/things was answered with ${status}: {"why":"because"}`,
    });
  });

  test('with a redirect is never followed, and is no error where it is expected', async () => {
    const { port, requests } = await startWebServer((_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' });
      response.end();
    });
    const run = runner();
    expect(await errorOf(run(task(port), taskContext()))).toMatchObject({ status: 302 });
    expect(await run(task(port, { redirect: true, output: 'response' }), taskContext())).toMatchObject({
      statusCode: 302,
    });
    expect(requests).toHaveLength(2);
  });

  test('is limited in size after decompression', async () => {
    const { port } = await startWebServer((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' });
      response.end(gzipSync(Buffer.alloc(2 ** 20)));
    });
    const error = await errorOf(runner({ maxBytes: 100_000 })(task(port), taskContext()));
    expect(error).toMatchObject({ status: 502, type: expect.stringContaining('communication') });
    expect(error.detail).toContain('larger than 100000');
  });
});

describe('what prevents the request', () => {
  test.each([
    'http://127.0.0.1:9/',
    'http://[::ffff:127.0.0.1]:9/',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/',
    'http://localhost:8080/',
    'file:///etc/passwd',
    'http://user:hush@93.184.215.14/',
    'gopher://93.184.215.14/',
  ])('the guard: %s', async (endpoint) => {
    const error = await errorOf(runner({ allow: [] })(task(1, { endpoint }), taskContext()));
    expect(error).toMatchObject({
      status: 403,
      type: 'https://serverlessworkflow.io/spec/1.0.0/errors/authorization',
    });
    expect(error.detail).not.toContain('hush');
  });

  test.each([
    ['host', 'elsewhere'],
    ['x-a', 'one\r\nx-b: two'],
  ])('the header %s', async (name, value) => {
    const { port, requests } = await startWebServer(mirror);
    const error = await errorOf(runner()(task(port, { headers: { [name]: value } }), taskContext()));
    expect(error.status).toBe(403);
    expect(requests).toEqual([]);
  });

  test('no server, or no response', async () => {
    const silent = await startWebServer(() => {});
    expect(await errorOf(runner({ timeoutMs: 200 })(task(silent.port), taskContext()))).toMatchObject({
      status: 408,
      type: expect.stringContaining('timeout'),
    });
    const run = runner();
    expect(await errorOf(run(task(1, { endpoint: 'http://127.0.0.1:1024/' }), taskContext()))).toMatchObject({
      status: 503,
    });
    const broken = await startWebServer((_, response) => response.destroy());
    expect(await errorOf(run(task(broken.port), taskContext()))).toMatchObject({ status: 502 });
  });

  test('a cancelled step aborts the request without failing the task', async () => {
    const stop = new AbortController();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const { port } = await startWebServer((request) => {
      request.on('close', resolve);
      stop.abort(new Error('cancelled'));
    });
    await expect(runner()(task(port), taskContext({ signal: stop.signal }))).rejects.toThrow('cancelled');
    await closed;
  });
});

test('finds secrets of random bytes in every encoding', async () => {
  for (let turn = 0; turn < 20; turn++) {
    const secret = randomBytes(12).toString(turn % 2 === 0 ? 'base64' : 'latin1');
    const forms = [secret, Buffer.from(secret).toString('base64'), encodeURIComponent(secret), JSON.stringify(secret)];
    const output = createRedaction([secret]).json({ [secret]: forms, nested: { text: `a ${secret} b` } });
    const plain = secret.replace(/[^\w]/g, '');
    expect(JSON.stringify(output)).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(plain.length > 8 && JSON.stringify(output).includes(plain)).toBe(false);
  }
});
