import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const CHUNK_BYTES = 8 * 2 ** 20;
/** Chunks overlap, because a match may span two of them. */
const OVERLAP_BYTES = 256;

export interface FileFacts {
  readonly sha256: string;
  /** First capture group of the first match of each pattern; undefined if there is no match. */
  readonly found: readonly (string | undefined)[];
}

/** Hashes a file of any size and searches it for the patterns, in one pass with bounded memory. */
export async function readFileFacts(file: string, patterns: readonly RegExp[]): Promise<FileFacts> {
  const hash = createHash('sha256');
  const found: (string | undefined)[] = patterns.map(() => undefined);
  let rest = '';
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    if (!found.includes(undefined)) continue;
    const text = rest + chunk.toString('latin1');
    for (const [at, pattern] of patterns.entries()) found[at] ??= pattern.exec(text)?.[1];
    rest = text.slice(-OVERLAP_BYTES);
  }
  return { sha256: hash.digest('hex'), found };
}
