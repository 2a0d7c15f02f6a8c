import type { Rejection } from '#schemas/events/accepted.ts';
import { reject } from '#schemas/events/reject.ts';

export interface DecodeLimits {
  /** Maximum size of a record in bytes, including the header of a registry frame. */
  readonly maxBytes: number;
}

export interface DecodedRecord {
  readonly ok: true;
  /**
   * The bytes of the JSON text. They are parsed, and stored as the raw form of the event. A view into the record, not a
   * copy.
   */
  readonly payload: Buffer;
  /**
   * The schema id of a registry frame. The caller checks whether it is one of our event schemas. Absent for plain JSON.
   */
  readonly schemaId: number | undefined;
}

/**
 * Confluent wire format: `00`, a big-endian schema id of four bytes, then the payload. JSON never starts with a 00
 * byte.
 */
const FRAME_MAGIC = 0x00;
const FRAME_HEADER_BYTES = 5;

/** RFC 8259 forbids a byte order mark in transmitted JSON, but allows parsers to ignore it. Windows tools write one. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/**
 * Extracts the JSON text of a record. The first byte distinguishes plain JSON from a schema registry frame, so a topic
 * may contain both. Removes a byte order mark. Synchronous: the caller looks up the `schemaId` of a frame.
 */
export function decodeRecord(value: Buffer | null, limits: DecodeLimits): DecodedRecord | Rejection {
  if (value === null || value.length === 0) return reject('empty_record');
  if (value.length > limits.maxBytes) {
    return reject('record_too_large', '$', `${value.length} bytes, at most ${limits.maxBytes}`);
  }
  let start = 0;
  let schemaId: number | undefined;
  if (value[0] === FRAME_MAGIC) {
    if (value.length <= FRAME_HEADER_BYTES) return reject('frame_truncated');
    schemaId = value.readUInt32BE(1);
    start = FRAME_HEADER_BYTES;
  }
  if (startsWithMark(value, start)) start += BYTE_ORDER_MARK.length;
  const payload = start === 0 ? value : value.subarray(start);
  return { ok: true, payload, schemaId };
}

/** Returns the schema id of a registry frame; undefined for plain JSON and for a truncated frame. */
export function frameSchemaId(value: Buffer): number | undefined {
  return value[0] === FRAME_MAGIC && value.length > FRAME_HEADER_BYTES ? value.readUInt32BE(1) : undefined;
}

function startsWithMark(bytes: Buffer, at: number): boolean {
  return (
    bytes[at] === BYTE_ORDER_MARK[0] && bytes[at + 1] === BYTE_ORDER_MARK[1] && bytes[at + 2] === BYTE_ORDER_MARK[2]
  );
}
