import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { startWebServer } from './web-server.ts';

/**
 * A Model Context Protocol server built with the official SDK that opens a session for every client. Its tool counts
 * its calls within the session.
 */
export async function startMcpSessionServer() {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const seen: { readonly method: string; readonly key: string | undefined }[] = [];
  const waiting: (() => void)[] = [];
  const ended: string[] = [];

  async function begin(): Promise<WebStandardStreamableHTTPServerTransport> {
    let count = 0;
    const server = new McpServer({ name: 'counter', version: '1' });
    server.registerTool('count', { inputSchema: z.object({ wait: z.boolean().default(false) }) }, async ({ wait }) => {
      if (wait) await new Promise<void>((resolve) => waiting.push(resolve));
      count += 1;
      return { content: [{ type: 'text', text: String(count) }] };
    });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => {
        ended.push(id);
        sessions.delete(id);
      },
    });
    await server.connect(transport);
    return transport;
  }

  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const method = text === '' ? String(request.method) : (JSON.parse(text) as { method: string }).method;
    seen.push({ method, key: request.headers['idempotency-key'] as string | undefined });
    const id = request.headers['mcp-session-id'] as string | undefined;
    const transport = id === undefined ? await begin() : sessions.get(id);
    if (transport === undefined) return void response.writeHead(404).end();
    const answer = await transport.handleRequest(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
        ...(text === '' ? {} : { body: text }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  };
  const { port } = await startWebServer(listener);
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    seen,
    ended,
    waiting,
    sessions,
    /** Number of sessions that were opened. */
    begun: () => seen.filter(({ method }) => method === 'initialize').length,
  };
}
