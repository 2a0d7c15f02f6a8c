import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** One JSON text that is not kept whole. A failure on the way closes the connection, so that half a text does not look like a whole one. */
export function sendJsonParts(reply: FastifyReply, parts: AsyncIterable<Uint8Array>): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(Readable.from(parts, { objectMode: false }));
}
