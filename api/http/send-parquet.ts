import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

export const PARQUET_TYPE = 'application/vnd.apache.parquet';
const CHUNK_BYTES = 64 * 1024;

/** `?format=parquet`, or the type in `Accept` where no format is named. */
export function asksForParquet(named: string | undefined, accept: string | undefined): boolean {
  if (named !== undefined) return named === 'parquet';
  return accept?.split(/[,;]/)[0]?.trim().toLowerCase() === PARQUET_TYPE;
}

/** A Parquet file as it is written. A failure on the way cuts the connection, so that half a file does not look like a whole one. */
export function sendParquet(reply: FastifyReply, name: string, bytes: AsyncIterable<Buffer>): FastifyReply {
  reply.type(PARQUET_TYPE).header('content-disposition', `attachment; filename="${name}.parquet"`);
  return reply.send(Readable.from(bytes, { objectMode: false, highWaterMark: CHUNK_BYTES }));
}
