import type { Rejection } from '#schemas/events/accepted.ts';
import { reject } from '#schemas/events/reject.ts';

export interface DecodeLimits {
  /** Longest record in bytes, a registry frame's header included. */
  readonly maxBytes: number;
}

export interface DecodedRecord {
  readonly ok: true;
  /** The bytes of the JSON text: what is read, and kept as the event's raw form. A view into the record, not a copy. */
  readonly payload: Buffer;
  /** The id in a registry frame: the caller decides whether it is one of our event schemas. Absent for plain JSON. */
  readonly schemaId: number | undefined;
}

/** `00` and four bytes of schema id, big-endian, then the payload: the Confluent wire format. JSON never begins with a 00 byte. */
const FRAME_MAGIC = 0x00;
const FRAME_HEADER_BYTES = 5;

/** JSON over a network has no byte order mark, but Windows tools write one; RFC 8259 lets a reader ignore it. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/**
 * Bytes of a record to those of its JSON text: plain JSON or a schema registry frame, by the first byte, so that both may be mixed in
 * one topic. A byte order mark is taken off. Nothing asynchronous happens here: a framed record's `schemaId` is left to the caller.
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

/** The schema id of a record in the wire format; `undefined` for plain JSON and for a frame that is cut short. */
export function frameSchemaId(value: Buffer): number | undefined {
  return value[0] === FRAME_MAGIC && value.length > FRAME_HEADER_BYTES ? value.readUInt32BE(1) : undefined;
}

function startsWithMark(bytes: Buffer, at: number): boolean {
  return (
    bytes[at] === BYTE_ORDER_MARK[0] && bytes[at + 1] === BYTE_ORDER_MARK[1] && bytes[at + 2] === BYTE_ORDER_MARK[2]
  );
}
