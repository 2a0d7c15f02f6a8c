import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createContentDecoder, isDecodingError } from '#api/http/bodies/content-decoder.ts';
import { OutboundFailure } from './port.ts';

/** Requested content codings. */
export const ACCEPT_ENCODING = 'gzip, br, zstd';

/**
 * Reads and decodes a body as a stream. At most `maxBytes` are read from the network, and at most `maxBytes` are kept
 * after decoding, whatever the compression ratio. Throws `too_large` or `broken_response`.
 */
export async function readResponse(body: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  const coding = encoding.trim().toLowerCase();
  if (coding === '' || coding === 'identity') return collect(body, maxBytes);
  const decoder = createContentDecoder(coding);
  if (decoder === undefined)
    throw new OutboundFailure('broken_response', 'the response has a content coding that was not requested');
  let collected: Buffer = Buffer.alloc(0);
  try {
    await pipeline(
      body,
      // The compressed bytes are limited too: empty blocks decode to nothing.
      (chunks: AsyncIterable<Buffer>) => limited(chunks, maxBytes),
      decoder,
      async (chunks: AsyncIterable<Buffer>) => {
        collected = await collect(chunks, maxBytes);
      },
    );
  } catch (error) {
    if (isDecodingError(error))
      throw new OutboundFailure('broken_response', 'the response cannot be decompressed', { cause: error });
    throw error;
  }
  return collected;
}

async function collect(chunks: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const kept: Buffer[] = [];
  for await (const chunk of limited(chunks, maxBytes)) kept.push(chunk);
  return Buffer.concat(kept);
}

async function* limited(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new OutboundFailure('too_large', `the response is larger than ${maxBytes} bytes`);
    yield chunk;
  }
}
