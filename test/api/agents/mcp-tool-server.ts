import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/**
 * An external service that the test provides: a Model Context Protocol server on a real port, built with the official
 * SDK. Its description can be changed.
 */
export async function startMcpToolServer() {
  const state = { description: 'Looks up the owner of a host.', keys: new Set<string | undefined>(), calls: 0 };
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'inventory', version: '1' });
      server.registerTool(
        'lookup',
        { description: state.description, inputSchema: z.object({ host: z.string() }) },
        async ({ host }) => {
          state.calls++;
          if (host === 'unknown') return { content: [{ type: 'text', text: 'no such host' }], isError: true };
          return { content: [{ type: 'text', text: `${host} belongs to team red` }] };
        },
      );
      server.registerTool('remove', { description: 'Removes a host.' }, async () => ({ content: [] }));
      return server;
    },
    { maxSubscriptions: 0 },
  );
  const server = createServer(async (request, response) => {
    state.keys.add(request.headers['x-inventory-key'] as string | undefined);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? 'GET',
        headers: Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  return { state, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` };
}
