import { StringDecoder } from 'node:string_decoder';

/** Longest line kept, in characters; a kernel message has at most 2,048 bytes, a journal entry around it a few more. */
const MAX_LINE = 65_536;

export interface LineSplitter {
  push(chunk: Buffer): string[];
  /** The last line, when the input does not end with a line end. */
  end(): string[];
}

/** Whether the text starts with the byte order mark of UTF-16, little endian, as shells of Windows write files. */
export function isUtf16(start: Buffer): boolean {
  return start[0] === 0xff && start[1] === 0xfe;
}

/**
 * Cuts bytes into lines without their ends (`\n`, `\r\n`). Text is UTF-8, or UTF-16 when it starts with its byte order mark.
 * The rest of a line beyond 65,536 characters is left out.
 */
export function createLineSplitter(): LineSplitter {
  let decoder: StringDecoder | undefined;
  let rest = '';
  /** Inside the part of an overlong line that is left out. */
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
