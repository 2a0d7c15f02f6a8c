import type {} from '@fastify/websocket';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** How a request went. */
export interface RequestOutcome {
  /** 101 for one that became a socket. */
  readonly status: number;
  /** Sent, headers included. */
  readonly bytes: number;
  /** From the first byte of the request to the last of its answer. */
  readonly durationMs: number;
}

export type RequestEndListener = (request: FastifyRequest, outcome: RequestOutcome) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /** Receives every request once. What a listener throws is logged: the response has been sent, so the request cannot be refused. */
    onRequestEnd(listener: RequestEndListener): void;
    /** For requests that are refused before any hook runs, such as those whose address can't be decoded. */
    watchRequest(request: FastifyRequest, reply: FastifyReply): void;
    /** Requests that are being answered. */
    requestsInFlight(): number;
  }
  interface FastifyRequest {
    /** Its end has been reported. */
    ended: boolean;
  }
}

/**
 * Reports when a request is over: its response was sent, or its client closed the connection. Runs before any hook that may refuse a request, so that
 * refused requests are reported too.
 */
export const requestEnd = fp(
  async (app) => {
    const listeners: RequestEndListener[] = [];
    let inFlight = 0;
    app.decorateRequest('ended', false);
    app.decorate('onRequestEnd', (listener) => void listeners.push(listener));
    app.decorate('requestsInFlight', () => inFlight);
    app.decorate('watchRequest', watch);
    app.addHook('onRequest', (request, reply, done) => {
      watch(request, reply);
      done();
    });
    // A request that becomes a socket has no answer; its end is when that began, not when it ended.
    app.addHook('preHandler', (request, reply, done) => {
      if (request.ws) end(request, { status: 101, bytes: 0, durationMs: reply.elapsedTime });
      done();
    });

    function watch(request: FastifyRequest, reply: FastifyReply): void {
      const { socket } = request.raw;
      const sentBefore = socket.bytesWritten ?? 0;
      inFlight += 1;
      // 'close' comes for every answer, also when the client went away in the middle; onResponse does not.
      reply.raw.once('close', () => {
        const bytes = (socket.bytesWritten ?? 0) - sentBefore;
        end(request, { status: reply.statusCode, bytes, durationMs: reply.elapsedTime });
      });
    }

    function end(request: FastifyRequest, outcome: RequestOutcome): void {
      if (request.ended) return;
      request.ended = true;
      inFlight -= 1;
      for (const listener of listeners) {
        try {
          listener(request, outcome);
        } catch (error) {
          request.log.error({ err: error }, 'A request could not be taken note of');
        }
      }
    }
  },
  { name: 'request-end' },
);
