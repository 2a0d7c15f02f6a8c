import { z } from 'zod';
import type { Filters } from '#analytics/clickhouse/read-models/filters.ts';
import type { Page, PageRequest } from '#analytics/clickhouse/read-models/list-definition.ts';
import { FORMATS, formatsOf } from '#analytics/formats/formats.ts';
import type { RecordKind, RecordOf } from '#analytics/formats/record.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { clientSignal } from '#api/http/client-signal.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { LIST_QUERIES, type ListOrder, type ListQueryValues, readListQuery } from '#api/http/queries/list-query.ts';
import { refuseQuery } from '#api/http/queries/refuse-query.ts';
import { negotiateFormat } from '#api/http/responses/negotiate-format.ts';
import { asksForParquet, PARQUET_TYPE, sendParquet } from '#api/http/responses/send-parquet.ts';
import { recordTexts, sendLines, sendPage, sendStream } from '#api/http/responses/send-records.ts';

/** A kind of stored record, and its conversion to records for the formats. */
export interface RecordSource<K extends RecordKind, Stored> {
  readonly kind: K;
  /** Singular noun for messages. */
  readonly noun: string;
  /**
   * JSON schema of one record, for the description only. The formats write the text, so that no digit is lost, and it
   * is not validated again.
   */
  readonly shape?: z.ZodType;
  /** JSON schema of one record with its evidence. Default: there is no evidence. */
  readonly shapeOfOne?: z.ZodType;
  readonly list: (filters: Filters, page: PageRequest & ListOrder) => Promise<Page<Stored>>;
  readonly stream: (filters: Filters, signal: AbortSignal, order: ListOrder) => AsyncIterable<readonly Stored[]>;
  /** Streams `ndjson` lines, if the store writes them itself. */
  readonly lines?: (filters: Filters, signal: AbortSignal) => AsyncIterable<Buffer>;
  /** Streams all records as a Parquet file, if the store writes it. */
  readonly parquet?: (filters: Filters, signal: AbortSignal) => AsyncIterable<Buffer>;
  /** Returns a record by the id in its URL. Undefined if it does not exist. */
  readonly get: (id: string) => Promise<Stored | undefined>;
  readonly toRecord: (stored: Stored) => RecordOf[K];
  /** Returns the version of a record for the header ETag. */
  readonly etag?: (stored: Stored) => string | undefined;
  /** Returns additional members of the JSON of a record: JSON texts by name. */
  readonly evidence?: (stored: Stored) => Promise<Readonly<Record<string, string>>>;
}

const READ = { access: { by: 'key-or-session', scope: 'detections:read' } } as const;
const READ_ERRORS = errorResponses(400, 401, 403, 406, 429, 503);
const OPERATION_NOUNS = { events: 'Event', detections: 'Detection', 'dead-letters': 'DeadLetter' } as const;
const LINES = z.string().describe('One record per line; CSV and CEF follow their specifications');
const PARQUET = z.string().meta({ format: 'binary' }).describe('An Apache Parquet file');
const ANY_SHAPE: z.ZodType = z.looseObject({});
const pageOf = (shape: z.ZodType) =>
  z.object({
    data: z.array(shape),
    limit: z.int(),
    nextCursor: z.string().nullable().describe('null on the last page'),
  });

/** GET /api/{kind}: newest first. JSON is paged. Line formats stream all records if neither limit nor cursor is given. */
export function listRoute<K extends RecordKind, Stored>(
  app: ApiServer,
  source: Pick<
    RecordSource<K, Stored>,
    'kind' | 'noun' | 'shape' | 'list' | 'stream' | 'lines' | 'parquet' | 'toRecord'
  >,
): void {
  const { kind, noun, shape = ANY_SHAPE, list, stream, lines, parquet, toRecord } = source;
  const querystring: z.ZodType<ListQueryValues> = LIST_QUERIES[kind];
  const schema = {
    operationId: `list${OPERATION_NOUNS[kind]}s`,
    summary: `List ${noun}s`,
    description: `Newest first${kind === 'detections' ? ', or in the requested order' : ''}. JSON is always paged; pages stay consistent while new data arrives. The other formats stream all records, unless limit or cursor requests a page; then the headers Link and x-next-cursor refer to the next page.${parquet === undefined ? '' : ' Parquet is always complete and unordered.'}`,
    tags: ['detection service'],
    querystring,
    response: { 200: inFormats(kind, `A page of ${noun}s.`, pageOf(shape), parquet !== undefined), ...READ_ERRORS },
  };
  app.get(`/api/${kind}`, { config: READ, schema }, async (request, reply) => {
    const query = readListQuery(request.query);
    if (parquet !== undefined && asksForParquet(query.format, request.headers.accept)) {
      if (!query.unbounded)
        throw apiError('invalid_value', 'parquet is written whole: leave out limit and cursor', 'format');
      return sendParquet(reply, kind, refusing(parquet(query.filters, clientSignal(reply))));
    }
    const format = negotiateFormat(kind, query.format, request.headers.accept, { whole: true });
    if (query.unbounded && format.name !== 'json') {
      if (format.name === 'ndjson' && lines !== undefined)
        return sendLines(reply, format, refusing(lines(query.filters, clientSignal(reply))));
      return sendStream(
        reply,
        format,
        kind,
        refusing(stream(query.filters, clientSignal(reply), query.order)),
        toRecord,
      );
    }
    const { items, nextCursor } = await list(query.filters, { ...query.page, ...query.order }).catch(refuseQuery);
    return sendPage(request, reply, format, kind, { records: items.map(toRecord), nextCursor }, query.page.limit);
  });
}

/** GET /api/{kind}/{id}: one record in any format. JSON includes its evidence. */
export function oneRoute<K extends RecordKind, Stored>(
  app: ApiServer,
  source: Pick<
    RecordSource<K, Stored>,
    'kind' | 'noun' | 'shape' | 'shapeOfOne' | 'get' | 'toRecord' | 'etag' | 'evidence'
  >,
): void {
  const { kind, noun, shape = ANY_SHAPE, shapeOfOne = shape, get, toRecord, etag, evidence } = source;
  const schema = {
    operationId: `get${OPERATION_NOUNS[kind]}`,
    summary: `Get one ${noun}`,
    description: `One ${noun} in any of the formats. JSON includes its evidence.`,
    tags: ['detection service'],
    params: z.strictObject({ id: z.string().min(1).max(400).describe(`id of the ${noun}`) }),
    querystring: z.strictObject({ format: LIST_QUERIES[kind].shape.format }),
    response: {
      200: inFormats(kind, `The ${noun}.`, shapeOfOne),
      ...READ_ERRORS,
      ...errorResponses(404),
    },
  };
  app.get(`/api/${kind}/:id`, { config: READ, schema }, async (request, reply) => {
    const format = negotiateFormat(kind, request.query.format, request.headers.accept, { whole: false });
    const stored = await get(request.params.id);
    const [text] = stored === undefined ? [] : recordTexts(format, kind, [toRecord(stored)]);
    if (stored === undefined || text === undefined)
      throw apiError('not_found', `there is no ${source.noun} with this id`);
    const tag = etag?.(stored);
    if (tag !== undefined) reply.header('etag', tag);
    reply.type(`${format.contentType}; charset=utf-8`);
    if (format.name !== 'json')
      return reply.send(`${format.header ? format.header(kind) + format.terminator : ''}${text}${format.terminator}`);
    const added = Object.entries((await evidence?.(stored)) ?? {}).map(
      ([name, json]) => `,${JSON.stringify(name)}:${json}`,
    );
    return reply.send(`${text.slice(0, -1)}${added.join('')}}`);
  });
}

/** Returns the response schemas of a kind by media type. JSON has a schema; the other formats are lines of text. */
function inFormats(kind: RecordKind, description: string, json: z.ZodType, offersParquet = false) {
  const types = new Set(
    formatsOf(kind)
      .filter((name) => name !== 'table')
      .map((name) => FORMATS[name].contentType.replace(/;.*$/, '')),
  );
  const content = Object.fromEntries(
    [...types].map((type) => [type, { schema: type === FORMATS.json.contentType ? json : LINES }]),
  );
  return { description, content: offersParquet ? { ...content, [PARQUET_TYPE]: { schema: PARQUET } } : content };
}

/** Returns records as a JSON array. */
export function jsonArray<K extends RecordKind>(kind: K, records: readonly RecordOf[K][]): string {
  return `[${recordTexts(FORMATS.json, kind, records).join(',')}]`;
}

/** Converts a query that exceeds a limit into a 400, as long as no record has been sent. */
async function* refusing<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* source;
  } catch (error) {
    refuseQuery(error);
  }
}
