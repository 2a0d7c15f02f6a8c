import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Streams one JSON text in parts. A failure closes the connection, so that a truncated text cannot appear complete. */
export function sendJsonParts(reply: FastifyReply, parts: AsyncIterable<Uint8Array>): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(Readable.from(parts, { objectMode: false }));
}
