import type { Readable } from 'node:stream';
import { createKernelLogParser, type KernelLogParserOptions } from '#ingest/detector/kernel-log-parser.ts';
import { type DecodeLimits, decodeRecord } from '#ingest/pipeline/decode.ts';
import type { Validate } from '#ingest/pipeline/validate.ts';
import type { AcceptedEvent, Rejection } from '#schemas/events/accepted.ts';
import type { InternalEvent } from '#schemas/events/event.ts';
import { reject } from '#schemas/events/reject.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { type InputLine, inputLines } from './input-lines.ts';
import { type InputKind, recogniseInput } from './recognise-input.ts';

export interface ReadAcceptedOptions {
  /** If undefined, recognised from the first line of each file that is not blank. */
  readonly kind: InputKind | undefined;
  readonly kernelLog: KernelLogParserOptions;
  readonly validate: Validate;
  readonly limits: DecodeLimits;
  readonly refused: (line: number, rejection: Rejection) => void;
}

/** Result of reading some lines. */
export interface ReadAccepted {
  readonly lines: number;
  readonly events: readonly AcceptedEvent[];
}

interface LineSink {
  take(line: InputLine, into: AcceptedEvent[]): void;
  end(into: AcceptedEvent[]): void;
}

/** Yields the events of one file (`-`: standard input) in any supported format, with bounded memory. */
export async function* readAccepted(
  file: string,
  stdin: Readable,
  options: ReadAcceptedOptions,
): AsyncGenerator<ReadAccepted> {
  let sink: LineSink | undefined;
  for await (const lines of inputLines(file, stdin, options.limits.maxBytes)) {
    const events: AcceptedEvent[] = [];
    for (const line of lines) {
      if (sink === undefined) {
        const text = line.bytes?.toString('utf8') ?? '';
        if (line.bytes !== null && text.trim() === '') continue;
        sink = (options.kind ?? recogniseInput(text)) === 'v1' ? eventLines(options) : kernelLog(options.kernelLog);
      }
      sink.take(line, events);
    }
    yield { lines: lines.length, events };
  }
  const events: AcceptedEvent[] = [];
  sink?.end(events);
  yield { lines: 0, events };
}

/** Reads one event per line, through the steps of the pipeline. Skips blank lines. */
function eventLines({ validate, limits, refused }: ReadAcceptedOptions): LineSink {
  return {
    take({ line, bytes, length }, into) {
      if (bytes === null) {
        refused(line, reject('record_too_large', '$', `${length} bytes, at most ${limits.maxBytes}`));
        return;
      }
      const decoded = decodeRecord(bytes, limits);
      if (decoded.ok && isBlank(decoded.payload)) return;
      const result = decoded.ok ? validate(decoded.payload) : decoded;
      if (result.ok) into.push(result);
      else if (bytes.length > 0) refused(line, result);
    },
    end() {},
  };
}

/** Reads a kernel log with the reference detector. A line that is too long is not a kernel message. */
function kernelLog(options: KernelLogParserOptions): LineSink {
  const parser = createKernelLogParser(options);
  const accept = (found: readonly { readonly event: InternalEvent }[], into: AcceptedEvent[]): void => {
    for (const { event } of found) {
      const time = parseTimestamp(event.timestamp);
      if (time) into.push({ ok: true, event, time });
    }
  };
  return {
    take({ bytes }, into) {
      if (bytes !== null) accept(parser.push(bytes.toString('utf8')), into);
    },
    end(into) {
      accept(parser.flush(), into);
    },
  };
}

const SPACE = 32;
const LAST_ASCII = 127;

/** Returns true if the text is only white space, including non-ASCII white space. */
function isBlank(text: Buffer): boolean {
  const first = text[0] ?? SPACE;
  return (first <= SPACE || first > LAST_ASCII) && text.toString('utf8').trim() === '';
}
