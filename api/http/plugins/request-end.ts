import type {} from '@fastify/websocket';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';

/** The outcome of a request. */
export interface RequestOutcome {
  /** 101 for a request that was upgraded to a socket. */
  readonly status: number;
  /** Bytes sent, headers included. */
  readonly bytes: number;
  /** Time from the first byte of the request to the last byte of the response. */
  readonly durationMs: number;
}

export type RequestEndListener = (request: FastifyRequest, outcome: RequestOutcome) => void;

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Adds a listener that receives every request once. Exceptions of a listener are logged: the response has been
     * sent, so the request cannot be refused.
     */
    onRequestEnd(listener: RequestEndListener): void;
    /**
     * Starts the measurement of a request that is refused before any hook runs, such as one with an invalid
     * percent-encoding.
     */
    watchRequest(request: FastifyRequest, reply: FastifyReply): void;
    /** Returns the number of requests in flight. */
    requestsInFlight(): number;
  }
  interface FastifyRequest {
    /** True after the end has been reported. */
    ended: boolean;
  }
}

/**
 * Reports when a request ends: its response was sent, or its client closed the connection. Runs before any hook that
 * may refuse a request, so that refused requests are reported too.
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
    // A request that is upgraded to a socket has no response. Its end is the start of the socket.
    app.addHook('preHandler', (request, reply, done) => {
      if (request.ws) end(request, { status: 101, bytes: 0, durationMs: reply.elapsedTime });
      done();
    });

    function watch(request: FastifyRequest, reply: FastifyReply): void {
      const { socket } = request.raw;
      const sentBefore = socket.bytesWritten ?? 0;
      inFlight += 1;
      // 'close' is emitted for every response, also when the client disconnects early; onResponse is not.
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
          request.log.error({ err: error }, 'cannot record request');
        }
      }
    }
  },
  { name: 'request-end' },
);
