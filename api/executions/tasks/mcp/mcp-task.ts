import type { Client, Transport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { ExternalTask } from '../../engine/port.ts';
import { TaskFailure } from '../../engine/task-failure.ts';
import type { JsonValue } from '../../json-value.ts';
import { taskFailure } from '../failures.ts';
import type { SendHttp } from '../http/http-exchange.ts';
import type { TaskContext } from '../port.ts';
import { inOwnFolder, programEnvironment } from '../process/run-process.ts';
import type { ShellTaskConfig } from '../process/shell-task.ts';
import { createRedaction } from '../redact.ts';
import { type ResolveSecrets, secretsOf } from '../secrets.ts';

type McpTask = Extract<ExternalTask, { kind: 'mcp' }>;

/** From this revision on a connection needs no handshake. */
const FIRST_WITHOUT_HANDSHAKE = '2026-01-01';
const ANY_RESULT = z.looseObject({});
const MAX_DETAIL = 500;
const MAX_MESSAGE_BYTES = 5 * 2 ** 20;
/** Statuses of which a `Response` may have no body. */
const BODILESS = new Set([204, 205, 304]);

/**
 * Calls a method of an MCP server with the client of the protocol's SDK. Requests over HTTP go the way of `call: http`; a program has the rights of
 * a shell command.
 */
export function createMcpTask(
  { send, resolveSecrets }: { readonly send: SendHttp; readonly resolveSecrets: ResolveSecrets },
  { allowed }: Pick<ShellTaskConfig, 'allowed'>,
) {
  return (task: McpTask, context: TaskContext): Promise<JsonValue> =>
    task.program === undefined ? overHttp(task, context) : overProgram(task, task.program, context);

  async function overHttp(task: McpTask, context: TaskContext): Promise<JsonValue> {
    // Loaded with the first call: a process without one saves its memory.
    const sdk = await import('@modelcontextprotocol/client');
    const failures: TaskFailure[] = [];
    const transport = new sdk.StreamableHTTPClientTransport(new URL(task.server?.endpoint ?? ''), {
      fetch: guardedFetch(task, context, send, failures),
    });
    const end = () => transport.terminateSession().catch(() => {});
    return converse(task, context, { transport, end, failures });
  }

  async function overProgram(
    task: McpTask,
    { command, arguments: args, environment }: NonNullable<McpTask['program']>,
    context: TaskContext,
  ): Promise<JsonValue> {
    if (!allowed)
      throw taskFailure(
        'authorization',
        context.step,
        'the operator does not allow programs of the worker (TRAPLINE_SHELL_TASKS)',
      );
    const secrets = await secretsOf([environment, task.parameters], context, resolveSecrets);
    secrets.requireUnbound('a program of the worker');
    const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
    const given = Object.entries(environment).map(([name, value]) => [name, secrets.text(value)] as const);
    return inOwnFolder('trapline-mcp-', async (folder) => {
      const transport = new StdioClientTransport({
        command,
        args: [...args],
        cwd: folder,
        env: { ...programEnvironment(folder), ...Object.fromEntries(given) },
        stderr: 'ignore',
        maxBufferSize: MAX_MESSAGE_BYTES,
      });
      const filled = { ...task, parameters: secrets.fill(task.parameters) };
      const result = await converse(filled, context, { transport, end: async () => {}, failures: [] });
      return createRedaction(secrets.used()).json(result);
    });
  }

  async function converse(
    task: McpTask,
    context: TaskContext,
    {
      transport,
      end,
      failures,
    }: { readonly transport: Transport; readonly end: () => Promise<void>; readonly failures: readonly TaskFailure[] },
  ): Promise<JsonValue> {
    const sdk = await import('@modelcontextprotocol/client');
    const client = new sdk.Client(task.client, versionOf(task.protocolVersion));
    try {
      await client.connect(transport, { signal: context.signal });
      const result = await ask(client, task, context);
      await end();
      return result;
    } catch (error) {
      context.signal.throwIfAborted();
      // What the guard refused, and what did not come back, say more than the error of the SDK.
      const [failure] = failures;
      if (failure !== undefined) throw failure;
      if (error instanceof TaskFailure) throw error;
      if (error instanceof sdk.ProtocolError)
        throw taskFailure('runtime', context.step, `${task.method}: ${shortened(error.message)} (${error.code})`);
      const status = error instanceof sdk.SdkHttpError ? { status: error.status } : {};
      const why = shortened(error instanceof Error ? error.message : String(error));
      throw taskFailure('communication', context.step, `${task.method}: ${why}`, status);
    } finally {
      await client.close();
    }
  }
}

function versionOf(version: string | undefined) {
  if (version === undefined) return { versionNegotiation: { mode: 'auto' as const } };
  if (version >= FIRST_WITHOUT_HANDSHAKE) return { versionNegotiation: { mode: { pin: version } } };
  return { supportedProtocolVersions: [version] };
}

async function ask(client: Client, { method, parameters }: McpTask, { signal, step }: TaskContext): Promise<JsonValue> {
  const params = parameters as Record<string, unknown>;
  const result = await client.request({ method, params }, ANY_RESULT, { signal });
  if (method === 'tools/call' && result.isError === true)
    throw taskFailure('runtime', step, `the tool reported an error: ${shortened(JSON.stringify(result.content))}`);
  return result as JsonValue;
}

/** `fetch` for the SDK. The stream that a server may open for its own messages is not opened: a task is one request. */
function guardedFetch(task: McpTask, context: TaskContext, send: SendHttp, failures: TaskFailure[]): typeof fetch {
  let requests = 0;
  return async (input, init) => {
    const method = init?.method ?? 'GET';
    if (method === 'GET') return new Response(null, { status: 405 });
    const authentication = task.server?.authentication;
    const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...task.headers };
    requests++;
    try {
      const { status, text, ...answer } = await send(
        {
          kind: 'http',
          method,
          endpoint: String(input),
          headers: { ...headers, 'idempotency-key': `${context.idempotencyKey}:${requests}` },
          query: {},
          // As JSON: secrets among the parameters are put in where the request is sent.
          body: typeof init?.body === 'string' ? (JSON.parse(init.body) as JsonValue) : undefined,
          output: 'response',
          redirect: false,
          ...(authentication === undefined ? {} : { authentication }),
        },
        { ...context, signal: init?.signal == null ? context.signal : AbortSignal.any([context.signal, init.signal]) },
      );
      return new Response(BODILESS.has(status) ? null : text, { status, headers: withoutEncoding(answer.headers) });
    } catch (error) {
      if (error instanceof TaskFailure) failures.push(error);
      throw error;
    }
  };
}

/** The body is decoded already. */
const withoutEncoding = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-(?:encoding|length)$/.test(name)));

const shortened = (text: string): string => (text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)} …` : text);
