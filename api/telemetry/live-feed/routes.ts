import type { IncomingMessage } from 'node:http';
import websocket from '@fastify/websocket';
import { z } from 'zod';
import type { SessionCookie } from '#api/accounts/sessions/session-cookie.ts';
import type { SessionCaller } from '#api/http/access/caller.ts';
import { isAllowedOrigin } from '#api/http/allowed-origin.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { presentedSession } from '#api/http/credentials.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import type { FeedSockets } from './feed-sockets.ts';

export interface SocketRouteDeps {
  readonly sessionCookie: SessionCookie;
  readonly sockets: FeedSockets;
  readonly authenticateSession: (cookie: string) => Promise<SessionCaller | undefined>;
  /** Origins of pages that may open the feed. Undefined: those of this server. */
  readonly allowedOrigins: readonly string[] | undefined;
}

const PATH = '/api/socket';
/** Maximum size of messages from readers, which send none. */
const MAX_INCOMING_BYTES = 1_024;

/** GET /api/socket: the live feed, as a WebSocket. */
export async function socketRoute(app: ApiServer, deps: SocketRouteDeps): Promise<void> {
  const { sockets, authenticateSession, allowedOrigins } = deps;
  // Upgrade requests for another protocol, such as h2c, or for another path are handled as ordinary requests.
  Object.assign(app.server, { shouldUpgradeCallback: asksForTheFeed });
  await app.register(websocket, {
    options: { maxPayload: MAX_INCOMING_BYTES },
    preClose(done) {
      sockets.close().then(() => this.websocketServer.close(() => done()), done);
    },
  });

  app.route({
    method: 'GET',
    url: PATH,
    config: { access: { by: 'admin' } },
    schema: {
      operationId: 'openLiveFeed',
      summary: 'Live feed',
      description:
        'A WebSocket for a session of an administrator. Each message is a JSON object `{type, at, …}` with the type request, security, detection or execution; `dropped` contains the number of messages that a slow reader missed. The connection is closed when the session ends or loses the role.',
      tags: ['administration'],
      response: {
        101: z.null().describe('The connection is upgraded to WebSocket.'),
        ...errorResponses(400, 401, 403, 429, 503),
      },
    },
    async preValidation(request) {
      const { origin, host } = request.headers;
      if (!isAllowedOrigin(origin, { allowed: allowedOrigins, host }))
        throw apiError('forbidden', 'pages of this origin may not open the live feed', 'origin');
      if (request.caller?.kind !== 'session') throw apiError('forbidden', 'a session is needed');
      if (!request.ws) throw apiError('invalid_value', 'open this address as a WebSocket', 'upgrade');
      if (!sockets.hasRoom()) throw apiError('unavailable', 'too many live feeds are open');
    },
    // Node stops managing a connection with an upgrade request. Without this, a refused one would stay open
    // indefinitely.
    async onResponse(request) {
      if (request.headers.upgrade !== undefined) request.raw.socket.destroySoon();
    },
    handler: async () => null,
    wsHandler(socket, request) {
      const { caller } = request;
      const cookie = presentedSession(request.headers.cookie, deps.sessionCookie.name);
      if (caller?.kind !== 'session' || cookie === undefined) {
        socket.terminate();
        return;
      }
      sockets.add(socket, caller, async () => {
        const now = await authenticateSession(cookie);
        return now?.role === 'admin' && now.sessionId === caller.sessionId;
      });
    },
  });
}

function asksForTheFeed({ headers, url = '' }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket' && (url === PATH || url.startsWith(`${PATH}?`));
}
