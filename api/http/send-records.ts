import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Format } from '#analytics/formats/format.ts';
import { recordWriter, writeRecords } from '#analytics/formats/formats.ts';
import type { RecordKind, RecordOf } from '#analytics/formats/record.ts';

export interface RecordPage<R> {
  readonly records: readonly R[];
  readonly nextCursor: string | undefined;
}

/** Texts of many small records leave as chunks of about this size: one write a record would cost more than the record. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * One page. JSON has the envelope `{data, limit, nextCursor}`, put together from texts, because 64-bit digits would not survive
 * being parsed and written again. The other formats are lines, with the way to the next page in the headers.
 */
export function sendPage<K extends RecordKind>(
  request: FastifyRequest,
  reply: FastifyReply,
  format: Format,
  kind: K,
  { records, nextCursor }: RecordPage<RecordOf[K]>,
  limit: number,
): FastifyReply {
  if (nextCursor !== undefined) {
    const next = new URL(request.url, 'http://here');
    next.searchParams.set('cursor', nextCursor);
    next.searchParams.set('limit', String(limit));
    reply.header('link', `<${next.pathname}${next.search}>; rel="next"`).header('x-next-cursor', nextCursor);
  }
  reply.type(`${format.contentType}; charset=utf-8`);
  if (format.name !== 'json') return reply.send([...writeRecords(format, kind, records)].join(''));
  const data = recordTexts(format, kind, records).join(',\n');
  return reply.send(`{"data":[${data}],"limit":${limit},"nextCursor":${JSON.stringify(nextCursor ?? null)}}`);
}

/**
 * Everything, as it is read. Each becomes a record when its text is written, and none outlives it: a batch of records is many times what it was read from.
 * A failure on the way cuts the connection, so that half an answer does not look like a whole one.
 */
export function sendStream<K extends RecordKind, Stored>(
  reply: FastifyReply,
  format: Format,
  kind: K,
  batches: AsyncIterable<readonly Stored[]>,
  toRecord: (stored: Stored) => RecordOf[K],
): FastifyReply {
  reply.type(`${format.contentType}; charset=utf-8`);
  return reply.send(
    Readable.from(chunks(format, kind, batches, toRecord), { objectMode: false, highWaterMark: CHUNK_CHARACTERS }),
  );
}

/** Lines as the store wrote them. */
export function sendLines(reply: FastifyReply, format: Format, lines: AsyncIterable<Buffer>): FastifyReply {
  reply.type(`${format.contentType}; charset=utf-8`);
  return reply.send(Readable.from(lines, { objectMode: false, highWaterMark: CHUNK_CHARACTERS }));
}

async function* chunks<K extends RecordKind, Stored>(
  format: Format,
  kind: K,
  batches: AsyncIterable<readonly Stored[]>,
  toRecord: (stored: Stored) => RecordOf[K],
): AsyncGenerator<Buffer> {
  const write = recordWriter(format, kind);
  let held = format.header ? format.header(kind) + format.terminator : '';
  for await (const batch of batches) {
    for (const stored of batch) {
      const text = write?.(toRecord(stored));
      if (text === undefined) continue;
      held += text + format.terminator;
      if (held.length < CHUNK_CHARACTERS) continue;
      yield Buffer.from(held);
      held = '';
    }
  }
  if (format.trailer) held += format.trailer(kind) + format.terminator;
  if (held !== '') yield Buffer.from(held);
}

/** The texts of those records that have a form in the format. */
export function recordTexts<K extends RecordKind>(format: Format, kind: K, records: readonly RecordOf[K][]): string[] {
  const write = recordWriter(format, kind);
  return write === undefined ? [] : records.map(write).filter((text) => text !== undefined);
}
