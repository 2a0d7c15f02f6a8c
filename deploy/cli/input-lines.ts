import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { isUtf16 } from '#ingest/detector/sources/line-splitter.ts';
import { usageError } from './command-error.ts';

/** One line of an input, without its end (`\n` or `\r\n`). */
export interface InputLine {
  /** From 1. */
  readonly line: number;
  /** Null when the line is longer than asked for: such a line is read over, never held. */
  readonly bytes: Buffer | null;
  /** Its length in bytes. */
  readonly length: number;
}

const NEWLINE = 10;
const RETURN = 13;

/**
 * The lines of a file (unpacked when it is called `….gz`), or of standard input for `-`: see `linesOf`. Throws a `CommandError` (wrong usage) when the file can't be read.
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

/** The bytes of a file; those of a file called `….gz` are unpacked. */
function openFile(file: string): Readable {
  const bytes = createReadStream(file, { highWaterMark: 256 * 1024 });
  // Errors of either stream reach the reader through the last one.
  return file.endsWith('.gz') ? pipeline(bytes, createGunzip(), () => {}) : bytes;
}

/** The chunks of a stream. Text with the byte order mark of UTF-16 is turned into UTF-8. */
async function* utf8Chunks(input: Readable): AsyncGenerator<Buffer> {
  let decoder: StringDecoder | null | undefined;
  for await (const chunk of input) {
    const bytes: Buffer = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (decoder === undefined) decoder = isUtf16(bytes) ? new StringDecoder('utf16le') : null;
    yield decoder === null ? bytes : Buffer.from(decoder.write(bytes));
  }
}

/**
 * The lines of a stream of bytes, in batches as they are read; memory stays flat however long the stream or one of its lines is.
 * The last line needs no end.
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
