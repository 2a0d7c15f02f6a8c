import { Buffer } from 'node:buffer';
import type { JsonValue } from '../json-value.ts';
import { INLINE_BYTES, LARGEST_BYTES, type PayloadStore } from './port.ts';

/** As it goes into a row: the JSON itself, or the name of the file it is in. Both null: there is nothing. */
export interface KeptPayload {
  readonly json: string | null;
  readonly file: string | null;
}

export const NOTHING: KeptPayload = { json: null, file: null };

/** Bytes that payloads take in rows and files, for quotas. A file says so in its reference. */
export function keptBytes(...payloads: readonly KeptPayload[]): number {
  return payloads.reduce(
    (sum, { json, file }) => sum + Buffer.byteLength(json ?? '') + Number(file?.split(':')[1] ?? 0),
    0,
  );
}

/** Nobody takes this much; trying again changes nothing. `message` says what it was and how large. */
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
  if (value === undefined) return NOTHING;
  const json = JSON.stringify(value);
  // A UTF-16 unit is three bytes at most: what is short needs no counting.
  if (json.length * 3 <= INLINE_BYTES) return { json, file: null };
  const bytes = Buffer.byteLength(json);
  if (bytes <= INLINE_BYTES) return { json, file: null };
  const largest = payloads === undefined ? INLINE_BYTES : LARGEST_BYTES;
  if (bytes > largest || payloads === undefined)
    throw new PayloadTooLarge(`${what} is ${mebibytes(bytes)} MiB; at most ${mebibytes(largest)} MiB are kept`);
  return { json: null, file: await payloads.put(name, Buffer.from(json)) };
}

/** The value of a row's column or of the file beside it. */
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
