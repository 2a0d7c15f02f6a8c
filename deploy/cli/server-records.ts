import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { DeadLetterRecord, EventRecord, RecordKind, RecordOf } from '#analytics/formats/record.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { parseStoredDetection } from '#schemas/stored-detection.ts';
import { CommandError } from './command-error.ts';
import { linesOf } from './input-lines.ts';
import type { ServerConnection } from './server-connection.ts';

/** A record of 1 MiB of control characters is six times as long in JSON. A longer line is not a record. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

/**
 * Yields records of the running server as NDJSON lines, in batches as they arrive, newest first. Stopping early aborts
 * the request. Throws a `CommandError` if the response is truncated, so that an incomplete list is not taken for a
 * complete one.
 */
export async function* serverLines(
  server: ServerConnection,
  kind: RecordKind,
  parameters: URLSearchParams,
): AsyncGenerator<readonly string[]> {
  const query = new URLSearchParams(parameters);
  query.set('format', 'ndjson');
  const response = await server.request(`/api/${kind}?${query}`);
  if (response.body === null) return;
  const body = Readable.fromWeb(response.body as ReadableStream);
  try {
    for await (const lines of linesOf(body, MAX_LINE_BYTES)) {
      yield lines.flatMap(({ bytes, length }) => {
        if (bytes === null) throw new CommandError(`${server.url} sent a line of ${length} bytes`);
        return bytes.length === 0 ? [] : [bytes.toString('utf8')];
      });
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`${server.url} ended its response before it was complete (${String(error)})`);
  }
}

/** Yields records of the running server as a Parquet file. Throws a `CommandError` if the response is truncated. */
export async function* serverParquet(
  server: ServerConnection,
  kind: RecordKind,
  parameters: URLSearchParams,
): AsyncGenerator<Uint8Array> {
  const query = new URLSearchParams(parameters);
  query.set('format', 'parquet');
  const response = await server.request(`/api/${kind}?${query}`);
  if (response.body === null) return;
  try {
    yield* response.body as ReadableStream<Uint8Array>;
  } catch (error) {
    throw new CommandError(`${server.url} ended its response before it was complete (${String(error)})`);
  }
}

/** Parses one line of the format `ndjson` into its record. Throws for a line of another format. */
export function parseRecord<K extends RecordKind>(kind: K, line: string): RecordOf[K] {
  const readers: { [P in RecordKind]: (line: string) => RecordOf[P] } = {
    events: parseEvent,
    detections: parseStoredDetection,
    'dead-letters': parseDeadLetter,
  };
  return readers[kind](line);
}

interface Origin {
  readonly topic?: string;
  readonly partition?: number;
  readonly offset?: number;
  readonly received?: string;
}

/**
 * Parses an event record. The event is the last member and is cut out unparsed, because the original text must be kept.
 * The server already decided whether short signal names are accepted when it ingested the event.
 */
function parseEvent(line: string): EventRecord {
  const member = ',"event":';
  const at = line.indexOf(member);
  const raw = line.slice(at + member.length, -1);
  const result = at === -1 ? undefined : readEvent(raw, { signalDialect: 'short' });
  if (!result?.ok) throw new CommandError('the server sent an event that this version cannot read');
  const { topic, partition, offset, received } = JSON.parse(`${line.slice(0, at)}}`) as Origin;
  return {
    event: result.event,
    time: result.time,
    raw,
    ...(topic === undefined || partition === undefined || offset === undefined
      ? {}
      : { identity: { topic, partition, offset } }),
    ...(received === undefined ? {} : { received: Date.parse(received) }),
  };
}

function parseDeadLetter(line: string): DeadLetterRecord {
  const record = JSON.parse(line) as {
    topic: string;
    partition: number;
    offset: number;
    received: string;
    code: string;
    path: string;
    message: string;
    redriven: string | null;
    raw: string;
    rawEncoding: 'utf8' | 'base64';
  };
  const { topic, partition, offset, received, code, path, message, redriven, raw, rawEncoding } = record;
  return {
    identity: { topic, partition, offset },
    received: Date.parse(received),
    code,
    path,
    message,
    redriven,
    raw: Buffer.from(raw, rawEncoding),
  };
}
