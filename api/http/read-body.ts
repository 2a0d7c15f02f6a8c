import type { Readable } from 'node:stream';
import { apiError } from './api-error.ts';
import type { ByteBudget } from './byte-budget.ts';
import { decompressed, isDecodingError } from './decompress.ts';

export interface BodyLimits {
  /** Of one body, after decompression. */
  readonly maxBodyBytes: number;
  /** Of all bodies in memory. */
  readonly budget: ByteBudget;
}

/** A whole body and the claim its bytes have on the budget. */
export interface ReadBody {
  readonly bytes: Buffer;
  release(): void;
}

/** Seconds after which a sender that was turned away may try again. */
export const RETRY_AFTER_SECONDS = 1;

/** Reads a body, decompressing it. Rejects with 400 (broken compression), 413 (too large) or 429 (no room), and holds nothing then. */
export async function readBody(
  body: Readable,
  contentEncoding: string | undefined,
  { maxBodyBytes, budget }: BodyLimits,
): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  let claimed = 0;
  const release = () => {
    budget.give(claimed);
    claimed = 0;
  };
  const source = decompressed(body, contentEncoding);
  try {
    // A request that is destroyed takes its connection along, and with it the answer that says why.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBodyBytes)
        throw apiError('payload_too_large', `a body has at most ${maxBodyBytes} bytes, decompressed`);
      if (!budget.take(chunk.length)) throw queueFull();
      claimed += chunk.length;
      chunks.push(chunk);
    }
  } catch (error) {
    release();
    discard(body, source);
    if (isDecodingError(error)) {
      throw apiError('invalid_value', 'the body is not compressed as Content-Encoding says', 'content-encoding');
    }
    if (body.destroyed && !body.readableEnded) throw apiError('invalid_value', 'the body was cut short');
    throw error;
  }
  return { bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size), release };
}

/** The rest of a body that was refused is read and forgotten, so that its sender gets to reading the answer. */
function discard(body: Readable, source: Readable): void {
  if (source !== body) {
    body.unpipe();
    source.destroy();
  }
  body.resume();
}

/** The refusal when no more bodies fit into memory: 429, nothing taken. */
export function queueFull() {
  return apiError('rate_limited', 'the queue is full, nothing was taken', undefined, {
    'retry-after': String(RETRY_AFTER_SECONDS),
  });
}
