import type {} from '@fastify/websocket';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { createRecordOf } from '../api-log/record-of.ts';
import type { RequestRecord } from '../api-log/request-record.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** For requests that are refused before any hook runs, such as those whose address can't be decoded. */
    recordWhenDone?: (request: FastifyRequest, reply: FastifyReply) => void;
  }
}

export interface ApiLogOptions {
  /** Each gets the record of every request: the log in ClickHouse, the SIEM, the live feed. They return at once and never throw. */
  readonly sinks: readonly ((record: RequestRecord) => void)[];
}

/** Asked every few seconds by whatever watches the process; they say nothing about who uses the API. */
const UNLOGGED = new Set(['/healthz', '/readyz', '/metrics']);

/** One record for every request, when its answer is out or its client is gone. Stands before the guard: what that refuses is recorded too. */
export const apiLog = fp<ApiLogOptions>(
  async (app, { sinks }) => {
    const recordOf = createRecordOf();
    app.decorateRequest('scraped', undefined);
    const recorded = new WeakSet<FastifyRequest>();

    app.decorate('recordWhenDone', recordWhenDone);
    app.addHook('onRequest', (request, reply, done) => {
      recordWhenDone(request, reply);
      done();
    });
    // A request that becomes a socket has no answer; its record says when it began, not when it ended.
    app.addHook('preHandler', (request, reply, done) => {
      if (request.ws) record(request, reply, 101, 0);
      done();
    });

    function recordWhenDone(request: FastifyRequest, reply: FastifyReply): void {
      const { socket } = request.raw;
      const sentBefore = socket.bytesWritten ?? 0;
      // 'close' comes for every answer, also when the client went away in the middle; onResponse does not.
      reply.raw.once('close', () => record(request, reply, reply.statusCode, (socket.bytesWritten ?? 0) - sentBefore));
    }

    function record(request: FastifyRequest, reply: FastifyReply, status: number, bytes: number): void {
      if (recorded.has(request) || UNLOGGED.has(request.routeOptions.url ?? '')) return;
      recorded.add(request);
      const entry = recordOf(request, { status, bytes, durationMs: reply.elapsedTime });
      for (const sink of sinks) sink(entry);
    }
  },
  { name: 'api-log', dependencies: ['request-id'] },
);
