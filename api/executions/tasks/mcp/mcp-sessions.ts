import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Client, Transport } from '@modelcontextprotocol/client';
import type { McpTask } from '../../engine/contract/call-task.ts';
import { TaskFailure } from '../../engine/contract/task-failure.ts';
import type { JsonValue } from '../../json-value.ts';
import type { SendHttp } from '../http/http-exchange.ts';
import type { TaskContext } from '../port.ts';
import { inOwnFolder, programEnvironment } from '../process/run-process.ts';
import type { TaskSecrets } from '../secrets.ts';
import type { PooledSession } from './session-pool.ts';

/** A connection to a server, with its session id if it assigned one. */
export interface McpSession extends PooledSession {
  readonly client: Client;
  /** Secrets that the server received when the session was opened. */
  readonly secrets: readonly string[];
  /** True if the server assigned a session id, which all requests need. */
  hasId(): boolean;
}

/** The task that a request of the SDK belongs to. */
export interface McpScope {
  readonly task: McpTask;
  readonly context: TaskContext;
  /** Requests that the guard refused or that had no response. */
  readonly failures: TaskFailure[];
}

/** From this protocol revision on, a connection needs no handshake. */
const FIRST_WITHOUT_HANDSHAKE = '2026-01-01';
const MAX_MESSAGE_BYTES = 5 * 2 ** 20;
const CLOSE_MS = 5_000;
/** Statuses for which `Response` allows no body. */
const BODILESS = new Set([204, 205, 304]);

/**
 * Several tasks may use one session concurrently. The context is needed because the SDK passes no call data to its
 * requests.
 */
const scopes = new AsyncLocalStorage<McpScope>();

/** Runs code that sends requests for a task. */
export const inScope = <T>(scope: McpScope, work: () => Promise<T>): Promise<T> => scopes.run(scope, work);

/** Connects to a server over HTTP. Its requests use the code of `call: http`. */
export async function openOverHttp(scope: McpScope, send: SendHttp): Promise<McpSession> {
  // Loaded on first use: a process without MCP calls saves the memory.
  const sdk = await import('@modelcontextprotocol/client');
  const transport = new sdk.StreamableHTTPClientTransport(new URL(scope.task.server?.endpoint ?? ''), {
    fetch: guardedFetch(send),
  });
  const end = () => {
    const context = { ...scope.context, signal: AbortSignal.timeout(CLOSE_MS) };
    return inScope({ ...scope, context, failures: [] }, () => transport.terminateSession().catch(() => {}));
  };
  return connect(scope, { transport, end, secrets: [], hasId: () => transport.sessionId !== undefined });
}

/**
 * Starts a program that communicates over standard input and output. It ends with its session, and its directory is
 * removed.
 */
export async function openProgram(scope: McpScope, secrets: TaskSecrets): Promise<McpSession> {
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const {
    command,
    arguments: args,
    environment,
  } = scope.task.program ?? { command: '', arguments: [], environment: {} };
  const given = Object.entries(environment).map(([name, value]) => [name, secrets.text(value)] as const);
  const opened = Promise.withResolvers<McpSession>();
  const ended = Promise.withResolvers<void>();
  const removed = inOwnFolder('trapline-mcp-', async (folder) => {
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      cwd: folder,
      env: { ...programEnvironment(folder), ...Object.fromEntries(given) },
      stderr: 'ignore',
      maxBufferSize: MAX_MESSAGE_BYTES,
    });
    const parts = { transport, end: async () => {}, secrets: secrets.used(), hasId: () => false };
    opened.resolve(await connect(scope, parts));
    await ended.promise;
  });
  removed.catch(opened.reject);
  const session = await opened.promise;
  return {
    ...session,
    async close() {
      await session.close();
      ended.resolve();
      await removed.catch(() => {});
    },
  };
}

interface SessionParts extends Pick<McpSession, 'secrets' | 'hasId'> {
  readonly transport: Transport;
  /** Notifies the server that the session ends. */
  readonly end: () => Promise<void>;
}

async function connect(scope: McpScope, { transport, end, ...parts }: SessionParts): Promise<McpSession> {
  const sdk = await import('@modelcontextprotocol/client');
  const { task, context } = scope;
  const client = new sdk.Client(task.client, versionOf(task.protocolVersion));
  let open = true;
  client.onclose = () => {
    open = false;
  };
  const close = () => client.close().catch(() => {});
  try {
    await inScope(scope, () => client.connect(transport, { signal: context.signal }));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...parts,
    client,
    isOpen: () => open,
    async close() {
      if (open) await end();
      await close();
    },
  };
}

function versionOf(version: string | undefined) {
  if (version === undefined) return { versionNegotiation: { mode: 'auto' as const } };
  if (version >= FIRST_WITHOUT_HANDSHAKE) return { versionNegotiation: { mode: { pin: version } } };
  return { supportedProtocolVersions: [version] };
}

/**
 * Returns a `fetch` for the SDK. It does not open the stream for messages of the server, because a task is one request.
 */
function guardedFetch(send: SendHttp): typeof fetch {
  return async (input, init) => {
    const method = init?.method ?? 'GET';
    if (method === 'GET') return new Response(null, { status: 405 });
    const scope = scopes.getStore();
    if (scope === undefined) throw new Error('a request of an MCP session belongs to no task');
    const { task, context, failures } = scope;
    const authentication = task.server?.authentication;
    // Parsed as JSON, so references to secrets are resolved when the request is sent.
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as JsonValue) : undefined;
    try {
      const { status, text, ...answer } = await send(
        {
          kind: 'http',
          method,
          endpoint: String(input),
          headers: { ...Object.fromEntries(new Headers(init?.headers)), ...task.headers },
          query: {},
          body,
          output: 'response',
          redirect: false,
          ...(authentication === undefined ? {} : { authentication }),
        },
        {
          ...context,
          idempotencyKey: keyOf(body, scope),
          signal: init?.signal == null ? context.signal : AbortSignal.any([context.signal, init.signal]),
        },
      );
      return new Response(BODILESS.has(status) ? null : text, { status, headers: withoutEncoding(answer.headers) });
    } catch (error) {
      if (error instanceof TaskFailure) failures.push(error);
      throw error;
    }
  };
}

/**
 * Returns the idempotency key. Only the call of the task has the key of the task. The messages that open a session are
 * new in each try.
 */
function keyOf(body: JsonValue | undefined, { task, context }: McpScope): string {
  const isCall = typeof body === 'object' && body !== null && 'method' in body && body.method === task.method;
  return isCall ? context.idempotencyKey : randomUUID();
}

/** Removes the encoding headers, because the body is already decoded. */
const withoutEncoding = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-(?:encoding|length)$/.test(name)));
