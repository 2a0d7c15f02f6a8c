import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** The fields of a chat completion request that tests read. */
export interface ChatRequest {
  readonly authorization: string | undefined;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
}
/** The response of the service: text, tool calls, or a failure. */
export type ChatAnswer =
  | { readonly text: string; readonly tokens?: number }
  | { readonly calls: readonly { readonly name: string; readonly given: object }[]; readonly tokens?: number }
  | { readonly status: number; readonly message: string };

/**
 * An external service that the test provides: it listens on a real port and implements OpenAI's chat completions
 * protocol. `answer` returns the response to the n-th request.
 */
export async function startModelServer(answer: (request: ChatRequest, n: number) => ChatAnswer | Promise<ChatAnswer>) {
  const requests: ChatRequest[] = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as ChatRequest;
    const seen = { ...body, authorization: request.headers.authorization };
    requests.push(seen);
    const said = await answer(seen, requests.length);
    if ('status' in said) {
      response.writeHead(said.status, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ error: { message: said.message } }));
    }
    const tokens = said.tokens ?? 10;
    const message =
      'text' in said
        ? { role: 'assistant', content: said.text }
        : {
            role: 'assistant',
            content: null,
            tool_calls: said.calls.map(({ name, given }, index) => ({
              id: `call_${requests.length}_${index}`,
              type: 'function',
              function: { name, arguments: JSON.stringify(given) },
            })),
          };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        id: `chat_${requests.length}`,
        object: 'chat.completion',
        created: 1,
        model: body.model,
        choices: [{ index: 0, message, finish_reason: 'text' in said ? 'stop' : 'tool_calls' }],
        usage: { prompt_tokens: tokens, completion_tokens: tokens, total_tokens: tokens * 2 },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { port, baseUrl: `http://127.0.0.1:${port}/v1`, requests };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
