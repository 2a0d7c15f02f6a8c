import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the root span of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly failed: boolean;
  readonly startNanos: bigint;
  readonly endNanos: bigint;
}

/** A data point of a metric. */
export interface ReceivedPoint {
  readonly name: string;
  readonly unit: string;
  readonly kind: 'gauge' | 'sum' | 'histogram';
  readonly monotonic: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  /** For a histogram, its sum. */
  readonly value: number;
  readonly counts: readonly number[];
  readonly bounds: readonly number[];
}

export interface ReceivedEntry {
  readonly body: unknown;
  readonly severity: string;
  readonly nanos: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly traceId: string;
  readonly spanId: string;
}

export interface OtlpReceiver extends AsyncDisposable {
  /** Value for OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly points: readonly ReceivedPoint[];
  readonly entries: readonly ReceivedEntry[];
  /** Headers of each request. */
  readonly requests: readonly NodeJS.Dict<string | string[]>[];
}

const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const ERROR = 2n;

/**
 * Starts a receiver of OTLP/HTTP with protobuf that stores what it receives. It decodes the wire format itself, so it
 * shares no code with the exporter.
 */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const points: ReceivedPoint[] = [];
  const entries: ReceivedEntry[] = [];
  const signals: Readonly<Record<string, (body: Buffer) => void>> = {
    '/v1/traces': (body) => spans.push(...recordsOf(body, (span, resource) => [readSpan(span, resource)])),
    '/v1/metrics': (body) => points.push(...recordsOf(body, readMetric)),
    '/v1/logs': (body) => entries.push(...recordsOf(body, (entry, resource) => [readEntry(entry, resource)])),
  };
  const requests: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const read = request.method === 'POST' ? signals[request.url ?? ''] : undefined;
    const known = read !== undefined;
    const readable = request.headers['content-type'] === 'application/x-protobuf';
    if (known && readable) {
      requests.push(request.headers);
      read(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body);
    }
    response.writeHead(known ? (readable ? 200 : 415) : 404, { 'content-type': 'application/x-protobuf' }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    points,
    entries,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

/** Splits a protobuf message into the values of its fields. */
function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw new RangeError('the message ends within a number');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number): Buffer => {
    if (at + length > message.length) throw new RangeError('the message ends within a field');
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    const value =
      wire === 0 ? varint() : wire === 1 ? bytes(8) : wire === 2 ? bytes(Number(varint())) : bytes(wire === 5 ? 4 : -1);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const messages = (fields: Fields, field: number) => (fields.get(field) ?? []).map((one) => fieldsOf(one as Buffer));
const bytesOf = (fields: Fields, field: number) => (fields.get(field)?.[0] ?? Buffer.alloc(0)) as Buffer;
const textOf = (fields: Fields, field: number) => bytesOf(fields, field).toString('utf8');
const hexOf = (fields: Fields, field: number) => bytesOf(fields, field).toString('hex');
const nanosOf = (fields: Fields, field: number) => bytesOf(fields, field).readBigUInt64LE();

/**
 * Decodes the outer messages, which are the same for all three signals: resources contain scopes, and scopes contain
 * records.
 */
function recordsOf<Received>(
  body: Buffer,
  read: (record: Fields, resource: ReceivedSpan['resource']) => readonly Received[],
): Received[] {
  return messages(fieldsOf(body), 1).flatMap((ofResource) => {
    const resource = attributesOf(messages(ofResource, 1)[0], 1);
    return messages(ofResource, 2).flatMap((ofScope) => messages(ofScope, 2).flatMap((one) => read(one, resource)));
  });
}

const METRIC_KINDS = { 5: 'gauge', 7: 'sum', 9: 'histogram' } as const;

function readMetric(metric: Fields, resource: ReceivedSpan['resource']): ReceivedPoint[] {
  const [field, kind] = Object.entries(METRIC_KINDS).find(([one]) => metric.has(Number(one))) ?? [];
  const [data] = field === undefined ? [] : messages(metric, Number(field));
  if (data === undefined || kind === undefined) throw new RangeError('the metric has no data that is known');
  const numbers = (point: Fields, at: number, read: (bytes: Buffer, offset: number) => number) => {
    const packed = bytesOf(point, at);
    return Array.from({ length: packed.length / 8 }, (_, index) => read(packed, index * 8));
  };
  return messages(data, 1).map((point) => ({
    name: textOf(metric, 1),
    unit: textOf(metric, 3),
    kind,
    monotonic: data.get(3)?.[0] === 1n,
    attributes: attributesOf(point, kind === 'histogram' ? 9 : 7),
    resource,
    value: bytesOf(point, kind === 'histogram' ? 5 : 4).readDoubleLE(),
    counts: kind === 'histogram' ? numbers(point, 6, (bytes, at) => Number(bytes.readBigUInt64LE(at))) : [],
    bounds: kind === 'histogram' ? numbers(point, 7, (bytes, at) => bytes.readDoubleLE(at)) : [],
  }));
}

function readEntry(entry: Fields, resource: ReceivedSpan['resource']): ReceivedEntry {
  return {
    nanos: nanosOf(entry, 1),
    severity: textOf(entry, 3),
    body: readValue(messages(entry, 5)[0] ?? new Map()),
    attributes: attributesOf(entry, 6),
    traceId: hexOf(entry, 9),
    spanId: hexOf(entry, 10),
    resource,
  };
}

function readSpan(span: Fields, resource: ReceivedSpan['resource']): ReceivedSpan {
  return {
    traceId: hexOf(span, 1),
    spanId: hexOf(span, 2),
    parentId: hexOf(span, 4),
    name: textOf(span, 5),
    kind: KINDS[Number(span.get(6)?.[0] ?? 0)] ?? '',
    startNanos: nanosOf(span, 7),
    endNanos: nanosOf(span, 8),
    attributes: attributesOf(span, 9),
    links: messages(span, 13).map((link) => ({ traceId: hexOf(link, 1), spanId: hexOf(link, 2) })),
    failed: messages(span, 15)[0]?.get(3)?.[0] === ERROR,
    resource,
  };
}

function attributesOf(fields: Fields | undefined, field: number): Record<string, unknown> {
  if (fields === undefined) return {};
  return Object.fromEntries(
    messages(fields, field).map((pair) => [textOf(pair, 1), readValue(messages(pair, 2)[0] ?? new Map())]),
  );
}

function readValue(value: Fields): unknown {
  const [field, [first] = []] = [...value][0] ?? [0];
  if (field === 1) return (first as Buffer).toString('utf8');
  if (field === 2) return first === 1n;
  if (field === 3) return Number(first);
  if (field === 4) return (first as Buffer).readDoubleLE();
  if (field === 5) return messages(fieldsOf(first as Buffer), 1).map(readValue);
  return undefined;
}
