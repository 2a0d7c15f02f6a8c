import { crc32 } from 'node:zlib';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';

/** A batch as it is sent. The body is final, so every attempt sends the same bytes under the same key. */
export interface SpooledBatch {
  /** Idempotency-Key, a UUID. The receiver accepts a batch once, even if it is sent several times. */
  readonly key: string;
  readonly events: number;
  /** gzip of NDJSON. */
  readonly body: Buffer;
  /** The trace context that the receiver continues. Not stored in the spool: a batch from there belongs to no trace. */
  readonly trace?: TraceContext | undefined;
}

/** MTIME in the gzip header (RFC 1952, 2.3.1): seconds since the epoch, 0 if absent. */
const GZIP_TIME_OFFSET = 4;

/** Stores in the gzip header when the first event was collected, so that the time survives a restart in the spool. */
export function stampBody(body: Buffer, collectedMs: number): void {
  body.writeUInt32LE(Math.floor(collectedMs / 1000), GZIP_TIME_OFFSET);
}

/** Returns when the first event of the batch was collected, ms since the epoch; null if unknown. */
export function collectedMs({ body }: SpooledBatch): number | null {
  const seconds = body.length < GZIP_TIME_OFFSET + 4 ? 0 : body.readUInt32LE(GZIP_TIME_OFFSET);
  return seconds === 0 ? null : seconds * 1000;
}

const MAGIC = 0x54525053; // "TRPS"
/** magic u32, payload length u32, crc32 of the rest u32, events u32, key 36 bytes; then the payload. */
export const HEADER_BYTES = 52;
const MAX_PAYLOAD = 64 * 1024 * 1024;

/** Encodes a batch for the spool, with a checksum. */
export function encodeRecord({ key, events, body }: SpooledBatch): Buffer {
  const record = Buffer.alloc(HEADER_BYTES + body.length);
  record.writeUInt32BE(MAGIC, 0);
  record.writeUInt32BE(body.length, 4);
  record.writeUInt32BE(events, 12);
  record.write(key.padEnd(36), 16, 36, 'latin1');
  body.copy(record, HEADER_BYTES);
  record.writeUInt32BE(crc32(record.subarray(12)), 8);
  return record;
}

/** Returns the length of the payload, or null if these bytes are not the start of a record. */
export function readHeader(header: Buffer): { readonly payloadBytes: number } | null {
  if (header.length < HEADER_BYTES || header.readUInt32BE(0) !== MAGIC) return null;
  const payloadBytes = header.readUInt32BE(4);
  return payloadBytes <= MAX_PAYLOAD ? { payloadBytes } : null;
}

/** Decodes a complete record; returns null if it is damaged. */
export function decodeRecord(record: Buffer): SpooledBatch | null {
  const header = readHeader(record);
  if (!header || record.length !== HEADER_BYTES + header.payloadBytes) return null;
  if (crc32(record.subarray(12)) !== record.readUInt32BE(8)) return null;
  return {
    key: record.toString('latin1', 16, HEADER_BYTES).trimEnd(),
    events: record.readUInt32BE(12),
    body: record.subarray(HEADER_BYTES),
  };
}
