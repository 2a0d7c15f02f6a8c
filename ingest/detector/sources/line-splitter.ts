import { StringDecoder } from 'node:string_decoder';

/** Longest line kept, in characters; a kernel message has at most 2,048 bytes, a journal entry around it a few more. */
const MAX_LINE = 65_536;

export interface LineSplitter {
  push(chunk: Buffer): string[];
  /** The last line, when the input does not end with a line end. */
  end(): string[];
}

/** Cuts bytes into lines without their ends (`\n`, `\r\n`). The rest of a line beyond 65,536 characters is left out. */
export function createLineSplitter(): LineSplitter {
  const decoder = new StringDecoder('utf8');
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
    push: (chunk) => take(decoder.write(chunk)),
    end() {
      const lines = take(decoder.end());
      if (rest !== '' && !skipping) lines.push(rest);
      rest = '';
      return lines;
    },
  };
}
