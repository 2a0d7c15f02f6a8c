import { isIP } from 'node:net';
import type { ReadableStream } from 'node:stream/web';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isAllowedOrigin } from '#api/http/allowed-origin.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { clientSignal } from '#api/http/client-signal.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { readAnswer, targetOf } from './read-answer.ts';
import { ApiCallFailure, type CallApi } from './tool.ts';

export interface McpDeps {
  /** Origins of browser pages that may call it. Undefined: those of this server, by address or as localhost. */
  readonly allowedOrigins: readonly string[] | undefined;
}

const messageSchema = z
  .looseObject({
    jsonrpc: z.literal('2.0').describe('Version of JSON-RPC'),
    method: z.string().optional().describe('Method of the protocol, such as tools/list'),
    id: z.union([z.string(), z.number()]).optional().describe('Id of a request; a notification has none'),
    params: z.looseObject({}).optional().describe('Parameters of the method'),
  })
  .describe('A message of JSON-RPC');

/** Headers that identify the caller and the client address. */
const PASSED_ON = ['authorization', 'x-api-key', 'x-forwarded-for', 'user-agent'] as const;

/**
 * POST /mcp: Model Context Protocol over streamable HTTP. Requests are independent, so any process can handle them.
 * Tools call the routes of this server with the key of the caller. Each call passes the guard, the limits, the audit
 * log and the API log like any other request.
 */
export function registerMcp(app: ApiServer, { allowedOrigins }: McpDeps): void {
  app.post(
    '/mcp',
    {
      config: { access: { by: 'any-key' } },
      schema: {
        operationId: 'callMcp',
        summary: 'Send a message of the Model Context Protocol',
        description:
          'Streamable HTTP without sessions. The tools call this API with the key of the request, so that each needs the scope of its route. GET and DELETE, which belong to sessions, are not offered.',
        tags: ['mcp'],
        body: messageSchema,
        response: {
          200: z.unknown().describe('A response of JSON-RPC, as JSON or as one server-sent event.'),
          202: z.unknown().describe('The notification is accepted.'),
          ...errorResponses(400, 401, 403, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      refuseOtherOrigins(request, allowedOrigins);
      // Loaded with the first message, because most processes never receive one.
      const { answerHttp } = await import('./answer-http.ts');
      const asked = webRequest(request, clientSignal(reply));
      const response = await answerHttp(callWithin(app, request), asked, request.body);
      reply.code(response.status as 200);
      for (const [name, value] of response.headers) reply.header(name, value);
      return reply.send((response.body as ReadableStream | null) ?? undefined);
    },
  );

  // The protocol requires 405 from a server without sessions: clients try to open a stream with GET and to close a
  // session with DELETE.
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    config: { access: { by: 'any-key' } },
    schema: { hide: true },
    handler: (_request, reply) => reply.code(405).header('allow', 'POST').send(),
  });
}

/**
 * Throws for a page of another site. Such a page does not know a key. The check also prevents DNS rebinding, in which a
 * page reaches the server under its own name.
 */
function refuseOtherOrigins({ headers, hostname, host }: FastifyRequest, allowed: readonly string[] | undefined): void {
  const { origin } = headers;
  if (origin === undefined) return;
  const known = allowed !== undefined || hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
  if (!known || !isAllowedOrigin(origin, { allowed, host }))
    throw apiError('forbidden', 'the header Origin names another site: add it to ALLOWED_ORIGIN to allow it');
}

/** Returns a function that sends requests through the routes of this server on behalf of the client. */
function callWithin(app: ApiServer, { headers, raw, id }: FastifyRequest): CallApi {
  const identity = Object.fromEntries(
    PASSED_ON.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
  return async ({ method, path, query, body, headers: own }, signal) => {
    const response = await app
      .inject({
        method,
        url: targetOf(path, query),
        headers: { ...identity, ...own, 'x-request-id': id },
        ...(body === undefined ? {} : { payload: body }),
        remoteAddress: raw.socket.remoteAddress ?? '',
        payloadAsStream: true,
        signal,
      })
      .catch((cause: unknown) => {
        throw new ApiCallFailure('the API could not answer', { cause });
      });
    return readAnswer(response.statusCode, response.stream());
  };
}

function webRequest({ headers, host }: FastifyRequest, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  return new Request(`http://${host}/mcp`, { method: 'POST', headers: given, body: '{}', signal });
}
