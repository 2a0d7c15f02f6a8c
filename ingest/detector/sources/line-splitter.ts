import { StringDecoder } from 'node:string_decoder';

/**
 * Maximum line length, in characters. A kernel message has at most 2,048 bytes, and a journal entry around it slightly
 * more.
 */
const MAX_LINE = 65_536;

export interface LineSplitter {
  push(chunk: Buffer): string[];
  /** Returns the last line, if the input does not end with a line end. */
  end(): string[];
}

/** Returns true if the text starts with the byte order mark of UTF-16 little endian, which Windows shells write. */
export function isUtf16(start: Buffer): boolean {
  return start[0] === 0xff && start[1] === 0xfe;
}

/**
 * Splits bytes into lines without their ends (`
 * `, `\r
 * `). Text is UTF-8, or UTF-16 if it starts with that byte order mark. Characters of a line beyond 65,536 are dropped.
 */
export function createLineSplitter(): LineSplitter {
  let decoder: StringDecoder | undefined;
  let rest = '';
  /** True inside the dropped part of an overlong line. */
  let skipping = false;

  function take(text: string): string[] {
    const lines = (rest + text).split('\n');
    rest = lines.pop() as string;
    if (skipping && lines.length > 0) {
      lines.shift();
      skipping = false;
    }
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] as string;
      if (line.length > MAX_LINE) lines[at] = line.slice(0, MAX_LINE);
      else if (line.charCodeAt(line.length - 1) === 13) lines[at] = line.slice(0, -1);
    }
    if (skipping) rest = '';
    else if (rest.length > MAX_LINE) {
      lines.push(rest.slice(0, MAX_LINE));
      rest = '';
      skipping = true;
    }
    return lines;
  }

  return {
    push(chunk) {
      decoder ??= new StringDecoder(isUtf16(chunk) ? 'utf16le' : 'utf8');
      return take(decoder.write(chunk));
    },
    end() {
      const lines = take(decoder?.end() ?? '');
      if (rest !== '' && !skipping) lines.push(rest);
      rest = '';
      return lines;
    },
  };
}
