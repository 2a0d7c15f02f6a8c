import { Buffer } from 'node:buffer';
import { boundJson, describeExcess, measureJson, type SizeLimits } from '../json-size.ts';
import type { JsonValue } from '../json-value.ts';
import { INLINE_BYTES, MAX_PAYLOAD_BYTES, type PayloadStore } from './port.ts';

/** A payload in its stored form: inline JSON, or a file reference. Both are null if there is no payload. */
export interface KeptPayload {
  readonly json: string | null;
  readonly file: string | null;
}

/** The engine wraps values in frames, so this exceeds the nesting limit of user data. */
const MAX_DEPTH = 2_000;

export const NOTHING: KeptPayload = { json: null, file: null };

/** Returns the bytes of payloads in rows and files, for quotas. A file reference contains its size. */
export function keptBytes(...payloads: readonly KeptPayload[]): number {
  return payloads.reduce(
    (sum, { json, file }) => sum + Buffer.byteLength(json ?? '') + Number(file?.split(':')[1] ?? 0),
    0,
  );
}

/** Thrown for a value above the size limit. A retry cannot succeed. `message` has the name and size of the value. */
export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge';
}

/**
 * Stores a value as JSON, in the file `name` if it is too long for a row. Rejects with `PayloadTooLarge`; `what` names
 * the value in the message.
 */
export async function keepPayload(
  payloads: PayloadStore | undefined,
  name: string,
  what: string,
  value: JsonValue | undefined,
): Promise<KeptPayload> {
  const inline = inlinePayload(payloads, what, value);
  if (inline !== undefined || payloads === undefined) return inline ?? NOTHING;
  return { json: null, file: await payloads.put(name, Buffer.from(JSON.stringify(value))) };
}

/**
 * Returns the inline form of a value that certainly fits into a row. Returns undefined for larger values. Most values
 * fit.
 */
export function smallPayload(value: JsonValue | undefined): KeptPayload | undefined {
  if (value === undefined) return NOTHING;
  return boundJson(value, INLINE_BYTES) === undefined ? undefined : { json: JSON.stringify(value), file: null };
}

/**
 * Synchronous form of `keepPayload` for values that fit into a row. Most do, and a promise per value would dominate the
 * cost. Returns undefined for a value that needs a file. Throws `PayloadTooLarge`.
 */
export function inlinePayload(
  payloads: PayloadStore | undefined,
  what: string,
  value: JsonValue | undefined,
): KeptPayload | undefined {
  const small = smallPayload(value);
  if (small !== undefined || value === undefined) return small;
  const largest = payloads === undefined ? INLINE_BYTES : MAX_PAYLOAD_BYTES;
  const limits: SizeLimits = { maxBytes: largest, maxNodes: largest / 2, maxDepth: MAX_DEPTH };
  // Measured before serialization: values that share members can serialize to gigabytes.
  const size = measureJson(value, limits);
  if ('exceeds' in size) {
    const most = `at most ${mebibytes(largest)} MiB are kept`;
    throw new PayloadTooLarge(
      size.exceeds === 'bytes' ? `${what} is too large: ${most}` : `${what} is ${describeExcess(size, limits)}`,
    );
  }
  return size.bytes <= INLINE_BYTES ? { json: JSON.stringify(value), file: null } : undefined;
}

/** Returns the value of a column or of its file. */
export async function readPayload(
  payloads: PayloadStore | undefined,
  value: JsonValue | null,
  file: string | null,
): Promise<JsonValue | null> {
  if (file === null) return value;
  if (payloads === undefined) throw new Error('this process has no payload store');
  return JSON.parse(Buffer.from(await payloads.get(file)).toString()) as JsonValue;
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 2 : 1);
}
