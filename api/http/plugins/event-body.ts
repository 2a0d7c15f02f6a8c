import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type ReadRecords, type RecordLimits, readRecords } from '../read-records.ts';
import { bodyCallerOf } from './body-memory.ts';

const MEDIA_TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];

/**
 * Bodies of the scope reach the handler as records, the bytes of each as they came: the exact source text of events matters.
 * They count against the budget until the answer is sent or the connection breaks.
 */
export const eventBody = fp<{ readonly limits: RecordLimits }>(
  async (app, { limits }) => {
    const claims = new WeakMap<object, ReadRecords>();
    app.removeAllContentTypeParsers();
    // Fastify's own limit counts compressed bytes; ours counts what they become, and ends both.
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
