const LINE_FEED = 10;

/** Complete lines in chunks, their number, and the last line. */
export interface LinesRead {
  readonly chunks: readonly Buffer[];
  readonly lines: number;
  readonly last: string | undefined;
}

/** Reads all lines of the source. */
export async function readLines(source: AsyncIterable<Buffer>): Promise<LinesRead> {
  const chunks: Buffer[] = [];
  let lines = 0;
  for await (const chunk of source) {
    chunks.push(chunk);
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
  }
  return { chunks, lines, last: lastLine(chunks) };
}

function lastLine(chunks: readonly Buffer[]): string | undefined {
  const parts: Buffer[] = [];
  for (let i = chunks.length - 1; i >= 0; i -= 1) {
    const chunk = chunks[i] as Buffer;
    // Skips the line feed at the end of the last line.
    const end = i === chunks.length - 1 ? chunk.length - 2 : chunk.length - 1;
    const before = end < 0 ? -1 : chunk.lastIndexOf(LINE_FEED, end);
    parts.unshift(chunk.subarray(before + 1));
    if (before >= 0) break;
  }
  const text = Buffer.concat(parts).toString('utf8').trimEnd();
  return text === '' ? undefined : text;
}
