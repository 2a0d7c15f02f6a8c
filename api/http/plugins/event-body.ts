import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type ReadRecords, type RecordLimits, readRecords } from '../bodies/read-records.ts';
import { bodyCallerOf } from './body-memory.ts';

const MEDIA_TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];

/**
 * Parses bodies in this scope into records with their exact bytes, because the exact source text of events matters. The
 * bytes count against the budget until the response is sent or the connection breaks.
 */
export const eventBody = fp<{ readonly limits: RecordLimits }>(
  async (app, { limits }) => {
    const claims = new WeakMap<object, ReadRecords>();
    app.removeAllContentTypeParsers();
    // Fastify's own limit counts compressed bytes. Our limit counts decompressed bytes and covers both.
    app.addContentTypeParser(
      MEDIA_TYPES,
      { bodyLimit: limits.maxBodyBytes },
      async (request: FastifyRequest, payload: IncomingMessage) => {
        const encoding = request.headers['content-encoding'];
        const body = await readRecords(payload, encoding, limits, bodyCallerOf(request));
        if (payload.socket.destroyed) body.release();
        claims.set(request, body);
        return body.records;
      },
    );
    const release = async (request: object) => claims.get(request)?.release();
    app.addHook('onResponse', release);
    app.addHook('onRequestAbort', release);
  },
  { name: 'event-body' },
);
