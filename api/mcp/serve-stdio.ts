import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serve } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './mcp-server.ts';
import type { CallApi } from './tool.ts';

/** Serves the Model Context Protocol on two streams. Resolves when the client closes its side. */
export function serveStdio(
  { stdin, stdout }: { readonly stdin: Readable; readonly stdout: Writable },
  call: CallApi,
  onError: (error: Error) => void,
): Promise<void> {
  return new Promise((resolve) => {
    const transport = new StdioServerTransport(stdin, stdout);
    stdin.once('close', resolve);
    stdin.once('end', resolve);
    serve(() => createMcpServer(call), { transport, onerror: onError, maxSubscriptions: 0 });
  });
}
