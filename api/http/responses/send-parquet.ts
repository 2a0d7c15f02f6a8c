import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

export const PARQUET_TYPE = 'application/vnd.apache.parquet';
const CHUNK_BYTES = 64 * 1024;

/** True for `?format=parquet`, or for the type in `Accept` if no format is given. */
export function asksForParquet(named: string | undefined, accept: string | undefined): boolean {
  if (named !== undefined) return named === 'parquet';
  return accept?.split(/[,;]/)[0]?.trim().toLowerCase() === PARQUET_TYPE;
}

/** Streams a Parquet file. A failure closes the connection, so that a truncated file cannot appear complete. */
export function sendParquet(reply: FastifyReply, name: string, bytes: AsyncIterable<Buffer>): FastifyReply {
  reply.type(PARQUET_TYPE).header('content-disposition', `attachment; filename="${name}.parquet"`);
  return reply.send(Readable.from(bytes, { objectMode: false, highWaterMark: CHUNK_BYTES }));
}
