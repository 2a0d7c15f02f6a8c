import { createMcpHandler } from '@modelcontextprotocol/server';
import { createMcpServer } from './mcp-server.ts';
import type { CallApi } from './tool.ts';

/** Answers one message of the protocol. `body` is the message. Each message has a server of its own: nothing is kept between messages. */
export function answerHttp(call: CallApi, request: Request, body: unknown): Promise<Response> {
  return createMcpHandler(() => createMcpServer(call), { maxSubscriptions: 0 }).fetch(request, { parsedBody: body });
}
