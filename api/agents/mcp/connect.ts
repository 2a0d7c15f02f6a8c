import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JsonValue } from '#api/executions/json-value.ts';
import { OutboundFailure, type OutboundFetch } from '#api/outbound/port.ts';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { guardedFetch } from '../run/guarded-fetch.ts';
import { ToolFailure } from '../run/tool.ts';
import type { McpServerConfig } from './mcp-config.ts';
import type { DescribedTool } from './tool-hash.ts';

const CONNECT_MS = 10_000;
const CALL_MS = 60_000;
const MAX_ANSWER_BYTES = 2 ** 20;
const MAX_PAGES = 10;
/** Names usable in scripts and models. Tools with other names are ignored. */
const TOOL_NAME = /^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/;

/** A connection to a server of the Model Context Protocol. All calls reject with `ToolFailure`. */
export interface McpConnection {
  listTools(): Promise<DescribedTool[]>;
  call(name: string, given: { readonly [name: string]: JsonValue }, signal: AbortSignal): Promise<JsonValue>;
  /** Ends the session. Never rejects. */
  close(): Promise<void>;
}

/** Connects through the outbound guard. `secrets`: values for the headers. */
export async function connectMcp(
  { url, headers = {} }: McpServerConfig,
  {
    outbound,
    secrets,
    span,
  }: {
    readonly outbound: OutboundFetch;
    readonly secrets: ReadonlyMap<string, string>;
    /** Span of the run in the distributed trace. */
    readonly span?: TraceContext | undefined;
  },
): Promise<McpConnection> {
  const given = Object.entries(headers).map(([name, { secret, prefix = '' }]) => {
    const value = secrets.get(secret);
    if (value === undefined)
      throw new ToolFailure(`the owner of the agent has no secret ${JSON.stringify(secret)} for this host`);
    return [name, prefix + value] as const;
  });
  const send = guardedFetch(
    outbound,
    { timeoutMs: CALL_MS, maxBytes: MAX_ANSWER_BYTES, trace: span },
    (reason) => new ToolFailure(`the address of the server is not permitted (${reason})`),
  );
  const open = async (): Promise<Session> => {
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: Object.fromEntries(given) },
      // Does not open the stream of messages from the server, because nothing reads it.
      fetch: async (target, init) =>
        init?.method === undefined || init.method === 'GET' ? new Response(null, { status: 405 }) : send(target, init),
    });
    const client = new Client(
      { name: 'trapline-agent', version: PRODUCT_VERSION },
      {
        // Does not compile schemas of the server, because they are untrusted.
        jsonSchemaValidator: {
          getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
      },
    );
    await client.connect(transport, { timeout: CONNECT_MS });
    return { client, transport };
  };
  const session = reopening(await within(open()), open);
  return {
    async listTools() {
      const found: DescribedTool[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page++) {
        const { tools, nextCursor } = await session.use((client) =>
          client.listTools(cursor === undefined ? {} : { cursor }, { timeout: CONNECT_MS }),
        );
        for (const { name, description = '', inputSchema } of tools)
          if (TOOL_NAME.test(name)) found.push({ name, description, inputSchema: inputSchema as JsonValue });
        cursor = nextCursor;
        if (cursor === undefined) break;
      }
      return found;
    },
    async call(name, args, signal) {
      const answer = await session.use((client) =>
        client.callTool({ name, arguments: args }, { timeout: CALL_MS, signal }),
      );
      const texts = (answer.content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : []));
      const text = texts.join('\n');
      if (answer.isError === true) throw new ToolFailure(text || `the tool ${name} failed`);
      const structured = answer.structuredContent as JsonValue | undefined;
      return structured === undefined ? { text } : { text, structured };
    },
    close: session.close,
  };
}

interface Session {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

/** Wraps a session, and reopens it once per call if the server no longer knows it. */
function reopening(first: Session, open: () => Promise<Session>) {
  let current = Promise.resolve(first);
  /** Replaced sessions. Calls in flight may still use their clients. */
  const lost: Session[] = [];
  const end = async ({ client, transport }: Session) => {
    await transport.terminateSession().catch(() => {});
    await client.close().catch(() => {});
  };
  return {
    use: <T>(call: (client: Client) => Promise<T>): Promise<T> =>
      within(
        (async () => {
          const used = current;
          const session = await used;
          try {
            return await call(session.client);
          } catch (error) {
            const isLost = error instanceof SdkHttpError && error.status === 404;
            if (!isLost || session.transport.sessionId === undefined) throw error;
            // Another call may have reopened it.
            if (current === used) {
              lost.push(session);
              current = open();
            }
            const reopened = current;
            reopened.catch(() => {
              if (current === reopened) current = used;
            });
            return await call((await reopened).client);
          }
        })(),
      ),
    async close() {
      await Promise.all(lost.map(({ client }) => client.close().catch(() => {})));
      await end(await current.catch(() => first));
    },
  };
}

/** Converts failures of the server to errors that the agent receives. */
async function within<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ToolFailure) throw error;
    if (error instanceof OutboundFailure) throw new ToolFailure(`${error.reason}: ${error.message}`);
    throw new ToolFailure(error instanceof Error ? error.message.slice(0, 500) : 'the server failed');
  }
}
