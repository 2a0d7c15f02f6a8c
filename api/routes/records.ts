import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CursorError } from '#analytics/clickhouse/read-models/cursor.ts';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import type { Page, PageRequest } from '#analytics/clickhouse/read-models/listing.ts';
import { FORMATS } from '#analytics/formats/formats.ts';
import type { RecordKind, RecordOf } from '#analytics/formats/record.ts';
import { apiError } from '../http/api-error.ts';
import { readListQuery } from '../http/list-query.ts';
import { negotiateFormat } from '../http/negotiate-format.ts';
import { recordTexts, sendPage, sendStream } from '../http/send-records.ts';

/** One kind of record as a store keeps it, and how it becomes what the formats take. */
export interface RecordSource<K extends RecordKind, Stored> {
  readonly kind: K;
  readonly list: (filters: Filters, page: PageRequest) => Promise<Page<Stored>>;
  readonly stream: (filters: Filters, signal: AbortSignal) => AsyncIterable<readonly Stored[]>;
  /** By the id of its URL; undefined when there is none. */
  readonly get: (id: string) => Promise<Stored | undefined>;
  readonly toRecord: (stored: Stored) => RecordOf[K];
  /** What one of them shows beside itself in JSON: names with JSON texts. */
  readonly evidence?: (stored: Stored) => Promise<Readonly<Record<string, string>>>;
}

/** GET /api/{kind}: newest first, by pages; ndjson and csv stream everything when neither limit nor cursor is given. */
export function listRoute<K extends RecordKind, Stored>(app: FastifyInstance, source: RecordSource<K, Stored>): void {
  const { kind, list, stream, toRecord } = source;
  app.get(`/api/${kind}`, async (request, reply) => {
    const query = readListQuery(kind, request.query);
    const format = negotiateFormat(kind, query.format, request.headers.accept);
    if (query.unbounded && (format.name === 'ndjson' || format.name === 'csv')) {
      return sendStream(reply, format, kind, recordsOf(stream(query.filters, goneSignal(reply)), toRecord));
    }
    const { items, nextCursor } = await list(query.filters, query.page).catch(refuseCursor);
    return sendPage(request, reply, format, kind, { records: items.map(toRecord), nextCursor }, query.page.limit);
  });
}

/** GET /api/{kind}/{id}: one, in any format; in JSON with its evidence. */
export function oneRoute<K extends RecordKind, Stored>(app: FastifyInstance, source: RecordSource<K, Stored>): void {
  const { kind, get, toRecord, evidence } = source;
  app.get(`/api/${kind}/:id`, async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const { format: named } = request.query as { format?: string };
    const format = negotiateFormat(kind, named, request.headers.accept);
    const stored = await get(request.params.id);
    const [text] = stored === undefined ? [] : recordTexts(format, kind, [toRecord(stored)]);
    if (stored === undefined || text === undefined) throw apiError('not_found', 'there is none with this id');
    reply.type(`${format.contentType}; charset=utf-8`);
    if (format.name !== 'json')
      return `${format.header ? format.header(kind) + format.terminator : ''}${text}${format.terminator}`;
    const beside = Object.entries((await evidence?.(stored)) ?? {}).map(
      ([name, json]) => `,${JSON.stringify(name)}:${json}`,
    );
    return `${text.slice(0, -1)}${beside.join('')}}`;
  });
}

/** Records as a JSON array. */
export function jsonArray<K extends RecordKind>(kind: K, records: readonly RecordOf[K][]): string {
  return `[${recordTexts(FORMATS.json, kind, records).join(',')}]`;
}

async function* recordsOf<Stored, R>(batches: AsyncIterable<readonly Stored[]>, toRecord: (stored: Stored) => R) {
  for await (const batch of batches) yield batch.map(toRecord);
}

/** Raised when the client has gone: nothing more needs to be read for it. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

function refuseCursor(error: unknown): never {
  if (error instanceof CursorError) throw apiError('invalid_value', error.message, 'cursor');
  throw error;
}
