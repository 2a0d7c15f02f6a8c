import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type BodyLimits, type ReadBody, readBody } from '../http/read-body.ts';

const MEDIA_TYPES = [
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/jsonl',
  'application/x-jsonlines',
];

/**
 * Bodies of the scope are handed to the handler as bytes, read within the limits, instead of being parsed: the exact source
 * text of events matters. The bytes count against the budget until the answer is sent.
 */
export const eventBody = fp<{ readonly limits: BodyLimits }>(
  async (app, { limits }) => {
    const claims = new WeakMap<object, ReadBody>();
    app.removeAllContentTypeParsers();
    // Fastify's own limit counts compressed bytes; ours counts what they become, and ends both.
    app.addContentTypeParser(
      MEDIA_TYPES,
      { bodyLimit: limits.maxBodyBytes },
      async (request: FastifyRequest, payload: IncomingMessage) => {
        const body = await readBody(payload, request.headers['content-encoding'], limits);
        claims.set(request, body);
        return body.bytes;
      },
    );
    const release = async (request: object) => claims.get(request)?.release();
    app.addHook('onResponse', release);
    app.addHook('onRequestAbort', release);
  },
  { name: 'event-body' },
);
