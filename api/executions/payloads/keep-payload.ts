import { Buffer } from 'node:buffer';
import { boundJson, describeExcess, measureJson, type SizeLimits } from '../json-size.ts';
import type { JsonValue } from '../json-value.ts';
import { INLINE_BYTES, MAX_PAYLOAD_BYTES, type PayloadStore } from './port.ts';

/** As it goes into a row: the JSON itself, or the name of the file it is in. Both null: there is nothing. */
export interface KeptPayload {
  readonly json: string | null;
  readonly file: string | null;
}

/** Frames of the engine around values: what users send nests much less. */
const MAX_DEPTH = 2_000;

export const NOTHING: KeptPayload = { json: null, file: null };

/** Bytes that payloads take in rows and files, for quotas. A file says so in its reference. */
export function keptBytes(...payloads: readonly KeptPayload[]): number {
  return payloads.reduce(
    (sum, { json, file }) => sum + Buffer.byteLength(json ?? '') + Number(file?.split(':')[1] ?? 0),
    0,
  );
}

/** A value beyond the limit; trying again changes nothing. `message` says what it was and how large. */
export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge';
}

/** JSON text with `name` as its file where it is too long for a row. Rejects with `PayloadTooLarge`; `what` names it then. */
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

/** A value that surely fits into a row, as most do; undefined for another. */
export function smallPayload(value: JsonValue | undefined): KeptPayload | undefined {
  if (value === undefined) return NOTHING;
  return boundJson(value, INLINE_BYTES) === undefined ? undefined : { json: JSON.stringify(value), file: null };
}

/**
 * What `keepPayload` resolves to, at once: most values fit into a row, and a promise for each would cost more than the rest. Undefined for a value that
 * goes into a file. Throws `PayloadTooLarge`.
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
  // Measured before it is written: values that share members can be gigabytes of text.
  const size = measureJson(value, limits);
  if ('exceeds' in size) {
    const most = `at most ${mebibytes(largest)} MiB are kept`;
    throw new PayloadTooLarge(
      size.exceeds === 'bytes' ? `${what} is too large: ${most}` : `${what} is ${describeExcess(size, limits)}`,
    );
  }
  return size.bytes <= INLINE_BYTES ? { json: JSON.stringify(value), file: null } : undefined;
}

/** The value of a row's column or of its file. */
export async function readPayload(
  payloads: PayloadStore | undefined,
  value: JsonValue | null,
  file: string | null,
): Promise<JsonValue | null> {
  if (file === null) return value;
  if (payloads === undefined) throw new Error('this process was given no store for payloads');
  return JSON.parse(Buffer.from(await payloads.get(file)).toString()) as JsonValue;
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(bytes < 10 * 1024 * 1024 ? 2 : 1);
}
