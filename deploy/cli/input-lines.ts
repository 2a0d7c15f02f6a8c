import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { isUtf16 } from '#ingest/detector/sources/line-splitter.ts';
import { usageError } from './command-error.ts';

/**
 * One line of an input, without its line end (`
 * ` or `\r
 * `).
 */
export interface InputLine {
  /** Line number, from 1. */
  readonly line: number;
  /** Null if the line is longer than the limit. Such a line is skipped without buffering it. */
  readonly bytes: Buffer | null;
  /** Length in bytes. */
  readonly length: number;
}

const NEWLINE = 10;
const RETURN = 13;

/**
 * Yields the lines of a file (decompressed if its name ends in `.gz`), or of standard input for `-`; see `linesOf`.
 * Throws a `CommandError` (wrong usage) if the file cannot be read.
 */
export async function* inputLines(
  file: string,
  stdin: Readable,
  maxBytes: number,
): AsyncGenerator<readonly InputLine[]> {
  try {
    yield* linesOf(file === '-' ? stdin : openFile(file), maxBytes);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_')) throw usageError(`${file} is not a complete gzip file (${code})`);
    if (code === undefined || syscall === undefined) throw error;
    throw usageError(`${file === '-' ? 'standard input' : file} can't be read (${code})`);
  }
}

/** Opens a file; decompresses it if its name ends in `.gz`. */
function openFile(file: string): Readable {
  const bytes = createReadStream(file, { highWaterMark: 256 * 1024 });
  // Errors of either stream are emitted by the last one.
  return file.endsWith('.gz') ? pipeline(bytes, createGunzip(), () => {}) : bytes;
}

/** Yields the chunks of a stream. Converts UTF-16 with a byte order mark to UTF-8. */
async function* utf8Chunks(input: Readable): AsyncGenerator<Buffer> {
  let decoder: StringDecoder | null | undefined;
  for await (const chunk of input) {
    const bytes: Buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (decoder === undefined) decoder = isUtf16(bytes) ? new StringDecoder('utf16le') : null;
    yield decoder === null ? bytes : Buffer.from(decoder.write(bytes));
  }
}

/**
 * Yields the lines of a stream in batches, with bounded memory for streams and lines of any length. The last line needs
 * no line end.
 */
export async function* linesOf(input: Readable, maxBytes: number): AsyncGenerator<readonly InputLine[]> {
  let line = 0;
  let held: Buffer[] = [];
  let length = 0;
  const finish = (): InputLine => {
    const whole = held.length === 1 ? (held[0] as Buffer) : Buffer.concat(held);
    const tooLong = length > maxBytes;
    const trimmed = !tooLong && whole[whole.length - 1] === RETURN ? whole.subarray(0, -1) : whole;
    const done = { line: ++line, bytes: tooLong ? null : trimmed, length: tooLong ? length : trimmed.length };
    held = [];
    length = 0;
    return done;
  };
  const hold = (part: Buffer): void => {
    length += part.length;
    if (length > maxBytes) held = [];
    else if (part.length > 0) held.push(part);
  };
  for await (const bytes of utf8Chunks(input)) {
    const lines: InputLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
      hold(bytes.subarray(start, end));
      lines.push(finish());
      start = end + 1;
    }
    hold(bytes.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (length > 0) yield [finish()];
}
