import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMcpServer } from './mcp-server.ts';
import type { CallApi } from './tool.ts';

/** Handles one message of the protocol, `body`. Each message has a separate server: no state is kept between messages. */
export function answerHttp(call: CallApi, request: Request, body: unknown): Promise<Response> {
  return createMcpHandler(() => createMcpServer(call), { maxSubscriptions: 0 }).fetch(request, { parsedBody: body });
}
