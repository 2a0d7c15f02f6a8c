import type { Readable } from 'node:stream';
import { createRecordSplitter, SplitError } from '#schemas/json/split-records.ts';
import { apiError } from './api-error.ts';
import type { BodyBudget, BodyCaller } from './body-budget.ts';
import { decompressed, decompressedFrom, isDecodingError } from './decompress.ts';

export interface RecordLimits {
  /** Of one body, after decompression. */
  readonly maxBodyBytes: number;
  /** Of one body. */
  readonly maxRecords: number;
  /** Of all bodies in memory. */
  readonly budget: BodyBudget;
}

/** The records of a whole body, the bytes of each exactly as they came. */
export interface ReadRecords {
  readonly records: readonly Buffer[];
  /** Gives the claim on the budget back. */
  release(): void;
}

/** Seconds after which a refused sender may try again. */
export const RETRY_AFTER_SECONDS = 1;

/** Bytes a body may unfold into for each of its own. Events compress to about a tenth, repetitive ones to a fiftieth. */
export const MAX_EXPANSION = 200;
/** Bodies that unfold into less than this are not judged by their expansion. */
const EXPANSION_ALLOWANCE_BYTES = 2 ** 20;
/** Memory of a record in addition to its bytes. */
export const RECORD_OVERHEAD_BYTES = 128;

/**
 * Reads a body, decompressing it and splitting it into records while it arrives. Rejects with 400 (broken compression, no
 * record, an array that breaks off), 413 (too many bytes or records, or compressed too far) or 429 (no room), and holds nothing
 * then: either all records of a body are taken or none.
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

    /** Compressed bytes have a limit too: empty blocks unfold into nothing. */
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

    /** False when the outcome is known already. */
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

/** What the sender is answered. */
function refusalOf(error: unknown, body: Readable): unknown {
  if (isDecodingError(error))
    return apiError('invalid_value', 'the body is not compressed as Content-Encoding says', 'content-encoding');
  if (error instanceof SplitError)
    return apiError(
      'invalid_value',
      `the JSON array can't be read to its end: ${error.message} at byte ${error.position}`,
    );
  // A broken connection is reported by its stream in words of the system.
  return body.destroyed && !body.readableEnded ? apiError('invalid_value', 'the body was cut short') : error;
}

/** The rest of a body that was refused is read and dropped, so that its sender gets to read the answer. */
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

/** The refusal when no more bodies fit into memory: 429, nothing taken. */
export function queueFull() {
  return apiError('rate_limited', 'the queue is full; nothing was accepted', undefined, {
    'retry-after': String(RETRY_AFTER_SECONDS),
  });
}

/** The same for a body that was still arriving. The connection ends with it: its sender would go on sending. */
function revoked() {
  return apiError('rate_limited', 'the queue is full and this body arrives slowly; nothing was accepted', undefined, {
    'retry-after': String(RETRY_AFTER_SECONDS),
    connection: 'close',
  });
}
