import type { Readable } from 'node:stream';
import { createRecordSplitter, SplitError } from '#schemas/json/split-records.ts';
import { apiError } from '../api-error.ts';
import type { BodyBudget, BodyCaller } from './body-budget.ts';
import { isDecodingError } from './content-decoder.ts';
import { decompressed, decompressedFrom } from './decompress.ts';

export interface RecordLimits {
  /** Maximum bytes of one body, decompressed. */
  readonly maxBodyBytes: number;
  /** Maximum number of records of one body. */
  readonly maxRecords: number;
  /** Memory budget of all bodies. */
  readonly budget: BodyBudget;
}

/** The records of a whole body, with their exact bytes. */
export interface ReadRecords {
  readonly records: readonly Buffer[];
  /** Releases the claim on the budget. */
  release(): void;
}

/** Seconds after which a refused sender may retry. */
export const RETRY_AFTER_SECONDS = 1;

/** Maximum ratio of decompressed to compressed bytes. Events compress to about a tenth, repetitive ones to a fiftieth. */
export const MAX_EXPANSION = 200;
/** The ratio is not checked up to this decompressed size. */
const EXPANSION_ALLOWANCE_BYTES = 2 ** 20;
/** Memory per record in addition to its bytes. */
export const RECORD_OVERHEAD_BYTES = 128;

/**
 * Reads a body; decompresses it and splits it into records while it arrives. All records are accepted or none. Rejects
 * with 400 (invalid compression, no record, an incomplete array), 413 (too many bytes or records, or too high a
 * compression ratio) or 429 (no memory), and then releases all memory.
 */
export function readRecords(
  body: Readable,
  contentEncoding: string | undefined,
  limits: RecordLimits,
  caller: BodyCaller,
): Promise<ReadRecords> {
  const source = decompressed(body, contentEncoding);
  return new Promise((resolve, reject) => {
    const records: Buffer[] = [];
    const claim = limits.budget.open(caller, () => fail(revoked()));
    const take = (bytes: number) => {
      if (!claim.take(bytes)) throw queueFull();
    };
    const splitter = createRecordSplitter((record) => {
      if (records.length === limits.maxRecords) throw tooManyRecords(limits.maxRecords);
      take(RECORD_OVERHEAD_BYTES);
      records.push(record);
    });
    let size = 0;
    let sent = 0;
    let settled = false;

    if (source !== body) body.on('data', onSent);
    source.on('data', onData);
    source.once('end', onEnd);
    source.once('error', fail);
    body.once('close', onClose);

    function onData(chunk: Buffer): void {
      try {
        size += chunk.length;
        if (size > limits.maxBodyBytes) throw tooLarge(limits.maxBodyBytes);
        if (source !== body) checkExpansion(size, decompressedFrom(source));
        take(chunk.length);
        splitter.push(chunk);
      } catch (error) {
        fail(error);
      }
    }

    /** Limits compressed bytes as well: empty blocks decompress to nothing. */
    function onSent(chunk: Buffer): void {
      sent += chunk.length;
      if (sent > limits.maxBodyBytes) fail(tooLarge(limits.maxBodyBytes));
    }

    function onEnd(): void {
      try {
        splitter.end();
        if (records.length === 0) throw apiError('required', 'the body holds no event');
        if (settle()) {
          claim.complete();
          resolve({ records, release: claim.release });
        }
      } catch (error) {
        fail(error);
      }
    }

    function onClose(): void {
      if (!body.readableEnded) fail(apiError('invalid_value', 'the body was cut short'));
    }

    function fail(error: unknown): void {
      if (!settle()) return;
      claim.release();
      discard(body, source);
      reject(refusalOf(error, body));
    }

    /** Returns false if the outcome is already known. */
    function settle(): boolean {
      if (settled) return false;
      settled = true;
      body.off('data', onSent);
      source.off('data', onData);
      source.off('end', onEnd);
      body.off('close', onClose);
      return true;
    }
  });
}

/** Returns the error for the sender. */
function refusalOf(error: unknown, body: Readable): unknown {
  if (isDecodingError(error))
    return apiError('invalid_value', 'the body does not match its Content-Encoding', 'content-encoding');
  if (error instanceof SplitError)
    return apiError(
      'invalid_value',
      `the JSON array is invalid or incomplete: ${error.message} at byte ${error.position}`,
    );
  // The stream reports a broken connection with a message of the operating system.
  return body.destroyed && !body.readableEnded ? apiError('invalid_value', 'the body was cut short') : error;
}

/** Reads and discards the rest of a refused body, so that its sender receives the response. */
function discard(body: Readable, source: Readable): void {
  source.on('error', () => {});
  if (source !== body) {
    body.unpipe();
    source.destroy();
  }
  body.resume();
}

function checkExpansion(size: number, compressed: number): void {
  if (size <= EXPANSION_ALLOWANCE_BYTES || size <= MAX_EXPANSION * compressed) return;
  throw apiError(
    'payload_too_large',
    `a compressed body may unfold into at most ${MAX_EXPANSION} times its size: send it with less compression, or in smaller pieces`,
    'content-encoding',
  );
}

function tooLarge(maxBodyBytes: number) {
  return apiError('payload_too_large', `a body has at most ${maxBodyBytes} bytes, decompressed`);
}

function tooManyRecords(maxRecords: number) {
  return apiError('payload_too_large', `a body has at most ${maxRecords} events; none of them was accepted`);
}

/** Returns the refusal (429) for a body that exceeds the memory budget. Nothing was accepted. */
export function queueFull() {
  return apiError('rate_limited', 'the queue is full; nothing was accepted', undefined, {
    'retry-after': String(RETRY_AFTER_SECONDS),
  });
}

/**
 * Returns the refusal for an incomplete body whose claim was revoked. It closes the connection, because the sender
 * would otherwise continue to send.
 */
function revoked() {
  return apiError('rate_limited', 'the queue is full and this body arrives slowly; nothing was accepted', undefined, {
    'retry-after': String(RETRY_AFTER_SECONDS),
    connection: 'close',
  });
}
