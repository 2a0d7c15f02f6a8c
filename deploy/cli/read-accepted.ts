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
  /** Not given: recognised by the first line that has anything on it, for each file. */
  readonly kind: InputKind | undefined;
  readonly kernelLog: KernelLogParserOptions;
  readonly validate: Validate;
  readonly limits: DecodeLimits;
  readonly refused: (line: number, rejection: Rejection) => void;
}

/** What reading some lines gave. */
export interface ReadAccepted {
  readonly lines: number;
  readonly events: readonly AcceptedEvent[];
}

interface LineSink {
  take(line: InputLine, into: AcceptedEvent[]): void;
  end(into: AcceptedEvent[]): void;
}

/** The events of one file (`-`: standard input), whatever it holds, as it is read: memory stays flat. */
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

/** One event a line, through the steps of the pipeline. Blank lines are passed over. */
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

/** A kernel log, through the reference detector. A line that is too long is no kernel message. */
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

/** Whether there is nothing but white space, of which there is some beyond ASCII. */
function isBlank(text: Buffer): boolean {
  const first = text[0] ?? SPACE;
  return (first <= SPACE || first > LAST_ASCII) && text.toString('utf8').trim() === '';
}
