import type { RequestListener } from 'node:http';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { A2aTask, McpTask } from '#api/executions/engine/contract/call-task.ts';
import { createA2aTask } from '#api/executions/tasks/a2a/a2a-task.ts';
import { readEvents } from '#api/executions/tasks/a2a/read-events.ts';
import { createDocuments } from '#api/executions/tasks/documents/documents.ts';
import { createHttpExchange } from '#api/executions/tasks/http/http-exchange.ts';
import type { McpSession } from '#api/executions/tasks/mcp/mcp-sessions.ts';
import { createMcpTask } from '#api/executions/tasks/mcp/mcp-task.ts';
import { createSessionPool, type SessionPoolConfig } from '#api/executions/tasks/mcp/session-pool.ts';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { startMcpSessionServer } from '../../outbound/mcp-session-server.ts';
import { startWebServer } from '../../outbound/web-server.ts';
import { taskContext, unbound } from './task-context.ts';

const SECRET = 'key-of-the-agent';
const resolveSecrets = async () => new Map([['key', unbound(SECRET)]]);
const context = () => taskContext({ secretNames: ['key'] });

function sender(allow: readonly string[] = ['127.0.0.0/8']) {
  const fetch = createOutboundFetch({ allow });
  onTestFinished(() => fetch.close());
  const files = { list: async () => [], find: async () => undefined, read: async () => Buffer.alloc(0) };
  return createHttpExchange({ fetch, resolveSecrets, files });
}

async function bodyOf(request: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** With pools that are closed at the end of the test. */
function mcpRunner(send: ReturnType<typeof sender>, allowed = false, config: SessionPoolConfig = {}) {
  const [sessions, programs] = [createSessionPool<McpSession>(config), createSessionPool<McpSession>(config)];
  onTestFinished(async () => void (await Promise.all([sessions.close(), programs.close()])));
  return Object.assign(createMcpTask({ send, resolveSecrets, sessions, programs }, { allowed }), {
    sessions,
    programs,
  });
}
const noRequest = () => Promise.reject(new Error('no request'));

describe('call: mcp', () => {
  /** A server of the official SDK with two tools that requires a bearer token. */
  const server: RequestListener = async (request, response) => {
    if (request.headers.authorization !== `Bearer ${SECRET}`) return void response.writeHead(401).end();
    const handler = createMcpHandler(() => {
      const mcp = new McpServer({ name: 'test', version: '1' });
      mcp.registerTool('echo', { inputSchema: z.object({ text: z.string() }) }, async ({ text }) => ({
        content: [{ type: 'text', text: `heard ${text}` }],
      }));
      mcp.registerTool('broken', {}, async () => ({ content: [{ type: 'text', text: 'no disk' }], isError: true }));
      return mcp;
    });
    const body = await bodyOf(request);
    const { method = 'GET' } = request;
    const answer = await handler.fetch(
      new Request(`http://localhost${request.url}`, {
        method,
        headers: new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
        ...(body === '' ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  };
  const task = (port: number, over: Partial<McpTask> = {}): McpTask => ({
    kind: 'mcp',
    server: { endpoint: `http://127.0.0.1:${port}/mcp`, authentication: { scheme: 'bearer', secret: 'key' } },
    headers: {},
    method: 'tools/call',
    parameters: { name: 'echo', arguments: { text: { $secret: 'key' } } },
    client: { name: 'trapline', version: '1' },
    ...over,
  });

  test.each([undefined, '2025-06-18'])('calls and lists tools, protocol %s', async (protocolVersion) => {
    const { port } = await startWebServer(server);
    const run = mcpRunner(sender());
    const version = protocolVersion === undefined ? {} : { protocolVersion };
    expect(await run(task(port, version), context())).toMatchObject({
      content: [{ type: 'text', text: 'heard [secret]' }],
    });
    const { tools } = (await run(task(port, { ...version, method: 'tools/list', parameters: {} }), context())) as {
      tools: { name: string }[];
    };
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'broken']);
  });

  test('errors of tools, of the protocol, of HTTP and of the guard fail the task', async () => {
    const { port } = await startWebServer(server);
    const run = mcpRunner(sender());
    const failure = (over: Partial<McpTask>) => run(task(port, over), context());
    await expect(failure({ parameters: { name: 'broken' } })).rejects.toMatchObject({
      error: { status: 500, detail: 'the tool reported an error: [{"type":"text","text":"no disk"}]' },
    });
    await expect(failure({ method: 'prompts/list', parameters: {} })).rejects.toMatchObject({
      error: { detail: expect.stringContaining('prompts/list: ') },
    });
    await expect(failure({ server: { endpoint: `http://127.0.0.1:${port}/mcp` } })).rejects.toMatchObject({
      error: { type: expect.stringContaining('communication'), status: 401 },
    });
    await expect(mcpRunner(sender([]))(task(port), context())).rejects.toMatchObject({
      error: { status: 403, detail: expect.stringContaining('not public') },
    });
  });
});

describe('call: mcp over standard input and output', () => {
  const task = (over: Partial<McpTask> = {}): McpTask => ({
    kind: 'mcp',
    program: {
      command: process.execPath,
      arguments: [new URL('stdio-server.ts', import.meta.url).pathname],
      environment: { TOKEN: { $secret: 'key' } },
    },
    headers: {},
    method: 'tools/call',
    parameters: { name: 'echo', arguments: { text: { $secret: 'key' } } },
    client: { name: 'trapline', version: '1' },
    ...over,
  });
  test('calls a tool of a program, which gets only the environment that the SDK passes on', async () => {
    const run = mcpRunner(noRequest, true);
    const { content } = (await run(task(), context())) as { content: { text: string }[] };
    const [text = '', names = ''] = content[0]?.text.split(' with ') ?? [];
    expect(text).toBe('heard [secret]');
    const known = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TOKEN', 'USER'];
    expect(known).toEqual(expect.arrayContaining(names.split(',')));
    expect(names).toContain('TOKEN');
  });

  test('fails if it is not allowed, and if the program does not start', async () => {
    await expect(mcpRunner(noRequest)(task(), context())).rejects.toMatchObject({ error: { status: 403 } });
    const run = mcpRunner(noRequest, true);
    const program = { command: '/nowhere/server', arguments: [], environment: {} };
    await expect(run(task({ program, parameters: {} }), context())).rejects.toMatchObject({
      error: { type: expect.stringContaining('communication'), detail: expect.stringContaining('ENOENT') },
    });
  });
});

describe('sessions of call: mcp', () => {
  const task = (url: string, over: Partial<McpTask> = {}): McpTask => ({
    kind: 'mcp',
    server: { endpoint: url },
    headers: {},
    method: 'tools/call',
    parameters: { name: 'count', arguments: {} },
    client: { name: 'trapline', version: '1' },
    protocolVersion: '2025-06-18',
    ...over,
  });
  const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
  const of = (executionId: string, over = {}) =>
    taskContext({ executionId, idempotencyKey: `${executionId}:a`, ...over });

  test('tasks of an execution share a session, and other executions have separate ones', async () => {
    const { url, ...server } = await startMcpSessionServer();
    const run = mcpRunner(sender());
    expect(await run(task(url), of('exec_1'))).toMatchObject(text('1'));
    expect(await run(task(url), of('exec_1'))).toMatchObject(text('2'));
    expect(await run(task(url), of('exec_2'))).toMatchObject(text('1'));
    expect(await run(task(url, { headers: { 'x-team': 'red' } }), of('exec_1'))).toMatchObject(text('1'));
    expect(server.begun()).toBe(3);
    // Only the call has the idempotency key of its task. Session set-up differs between two attempts.
    expect(server.seen.filter(({ key }) => key?.startsWith('exec_'))).toEqual([
      { method: 'tools/call', key: 'exec_1:a' },
      { method: 'tools/call', key: 'exec_1:a' },
      { method: 'tools/call', key: 'exec_2:a' },
      { method: 'tools/call', key: 'exec_1:a' },
    ]);
    run.sessions.end('exec_1');
    await expect.poll(() => server.ended.length).toBe(2);
    expect(await run(task(url), of('exec_2'))).toMatchObject(text('2'));
    await run.sessions.close();
    expect(server.sessions.size).toBe(0);
  });

  test('reopens a session that the server lost once', async () => {
    const { url, ...server } = await startMcpSessionServer();
    const run = mcpRunner(sender());
    await run(task(url), of('exec_1'));
    server.sessions.clear();
    expect(await run(task(url), of('exec_1'))).toMatchObject(text('1'));
    expect(server.begun()).toBe(2);
    // A server that forgets its session immediately is called twice.
    server.sessions.set = () => server.sessions;
    server.sessions.clear();
    await expect(run(task(url), of('exec_1'))).rejects.toMatchObject({ error: { status: 404 } });
    expect(server.begun()).toBe(3);
  });

  test('concurrent calls use one session, which closes when the last has ended', async () => {
    const { url, ...server } = await startMcpSessionServer();
    const run = mcpRunner(sender());
    const slow = run(task(url, { parameters: { name: 'count', arguments: { wait: true } } }), of('exec_1'));
    await expect.poll(() => server.waiting.length).toBe(1);
    expect(await run(task(url), of('exec_1'))).toMatchObject(text('1'));
    run.sessions.end('exec_1');
    expect(server.ended).toEqual([]);
    server.waiting[0]?.();
    expect(await slow).toMatchObject(text('2'));
    await expect.poll(() => server.ended.length).toBe(1);
    expect(server.begun()).toBe(1);
  });

  test('a session ends when it is idle, and when others need its slot', async () => {
    const { url, ...server } = await startMcpSessionServer();
    const idle = mcpRunner(sender(), false, { idleMs: 1 });
    await idle(task(url), of('exec_1'));
    await expect.poll(() => server.ended.length).toBe(1);
    const few = mcpRunner(sender(), false, { maxSessions: 1 });
    await few(task(url), of('exec_1'));
    await few(task(url), of('exec_2'));
    await expect.poll(() => server.ended.length).toBe(2);
    expect(await few(task(url), of('exec_2'))).toMatchObject(text('2'));
  });

  test('a call ends at its time-out, and its session serves the next one', async () => {
    const { url, ...server } = await startMcpSessionServer();
    const run = mcpRunner(sender());
    await run(task(url), of('exec_1'));
    const parameters = { name: 'count', arguments: { wait: true } };
    await expect(run(task(url, { parameters, timeoutMs: 50 }), of('exec_1'))).rejects.toMatchObject({
      error: { status: 408, detail: 'tools/call took longer than 50 ms' },
    });
    expect(await run(task(url), of('exec_1'))).toMatchObject(text('2'));
    expect(server.begun()).toBe(1);
  });

  test('a program serves the tasks of an execution, and ends with an aborted call', async () => {
    const run = mcpRunner(noRequest, true);
    const program = {
      command: process.execPath,
      arguments: [new URL('stdio-server.ts', import.meta.url).pathname],
      environment: {},
    };
    const given = (name: string): McpTask => {
      const { server: _server, ...rest } = task('', { program, parameters: { name, arguments: {} } });
      return rest;
    };
    const pid = async () => {
      const { content } = (await run(given('pid'), of('exec_1'))) as { content: { text: string }[] };
      return Number(content[0]?.text);
    };
    const first = await pid();
    expect(await pid()).toBe(first);
    const abort = new AbortController();
    const hangs = run(given('hang'), of('exec_1', { signal: abort.signal }));
    abort.abort(new Error('the step was ended'));
    await expect(hangs).rejects.toThrow('the step was ended');
    await expect.poll(() => isAlive(first)).toBe(false);
    const second = await pid();
    expect(second).not.toBe(first);
    run.programs.end('exec_1');
    await expect.poll(() => isAlive(second)).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('call: a2a', () => {
  const seen: { method: string; params: { message?: Record<string, unknown> }; id: string }[] = [];
  const agent: RequestListener = async (request, response) => {
    if (request.url === '/card')
      return void response.end(JSON.stringify({ url: '/agent', preferredTransport: 'JSONRPC' }));
    const asked = JSON.parse(await bodyOf(request)) as (typeof seen)[number];
    seen.push(asked);
    const { authorization = 'nothing' } = request.headers;
    if (asked.method === 'message/stream') {
      response.setHeader('content-type', 'text/event-stream');
      const event = (result: unknown) => `data: ${JSON.stringify({ jsonrpc: '2.0', id: asked.id, result })}\n\n`;
      return void response.end(`: hello\n\n${event({ n: 1 })}${event({ n: 2 })}`);
    }
    response.setHeader('content-type', 'application/json');
    const answer =
      asked.method === 'tasks/get'
        ? { error: { code: -32001, message: 'Task not found' } }
        : { result: { authorization } };
    response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...answer }));
  };
  const task = (port: number, over: Partial<A2aTask> = {}): A2aTask => ({
    kind: 'a2a',
    agentCard: { endpoint: `http://127.0.0.1:${port}/card`, authentication: { scheme: 'bearer', secret: 'key' } },
    method: 'message/send',
    parameters: { message: { parts: [{ kind: 'text', text: 'hello' }] } },
    ...over,
  });
  function runner() {
    const send = sender();
    const documents = createDocuments({ http: async (http, of) => (await send(http, of)).output() });
    return createA2aTask({ send, documents });
  }

  test('sends a message to the address of the card, with a stable id', async () => {
    const { port } = await startWebServer(agent);
    const run = runner();
    expect(await run(task(port), context())).toEqual({ authorization: 'Bearer [secret]' });
    await run(task(port), context());
    const [first, second] = seen.splice(0);
    expect(first?.params.message).toMatchObject({ role: 'user', messageId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(second).toEqual(first);
  });

  test('returns the results of a stream as a list; an error of the agent fails the task', async () => {
    const { port } = await startWebServer(agent);
    const run = runner();
    const server = { endpoint: `http://127.0.0.1:${port}/agent` };
    expect(await run(task(port, { server, method: 'message/stream' }), context())).toEqual([{ n: 1 }, { n: 2 }]);
    await expect(
      run(task(port, { server, method: 'tasks/get', parameters: { id: 'x' } }), context()),
    ).rejects.toMatchObject({ error: { status: 500, detail: 'tasks/get: Task not found (-32001)' } });
  });

  test('does not send the credentials for a card to another origin', async () => {
    const { port: other } = await startWebServer(agent);
    const { port } = await startWebServer((_request, response) =>
      response.end(JSON.stringify({ url: `http://127.0.0.1:${other}/agent` })),
    );
    expect(await runner()(task(port), context())).toEqual({ authorization: 'nothing' });
  });

  test('events of a stream', () => {
    expect(readEvents(': note\r\n\r\nevent: x\r\ndata: a\r\ndata:b\r\n\r\nid: 1\n\ndata: c')).toEqual(['a\nb', 'c']);
  });
});
