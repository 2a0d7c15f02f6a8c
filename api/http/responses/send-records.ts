import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Format } from '#analytics/formats/format.ts';
import { recordWriter, writeRecords } from '#analytics/formats/formats.ts';
import type { RecordKind, RecordOf } from '#analytics/formats/record.ts';

export interface RecordPage<R> {
  readonly records: readonly R[];
  readonly nextCursor: string | undefined;
}

/** Approximate chunk size. Small records are combined, because one write per record would cost more than the record. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Sends one page. JSON has the envelope `{data, limit, nextCursor}`. It is concatenated from texts, because parsing
 * would lose 64-bit digits. The other formats are lines, with the link to the next page in the headers.
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
 * Streams all records. Each stored row becomes a record only when its text is written, because a batch of records needs
 * many times the memory of its rows. A failure closes the connection, so that a truncated response cannot appear
 * complete.
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

/** Streams lines as the store returns them. */
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

/** Returns the texts of the records that the format can represent. */
export function recordTexts<K extends RecordKind>(format: Format, kind: K, records: readonly RecordOf[K][]): string[] {
  const write = recordWriter(format, kind);
  return write === undefined ? [] : records.map(write).filter((text) => text !== undefined);
}
