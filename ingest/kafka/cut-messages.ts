import type { Message } from 'kafkajs';
import type { OutgoingMessage } from './port.ts';

/** Overhead of a record in addition to its key, value and headers, rounded up: lengths, deltas, attributes. */
const RECORD_OVERHEAD_BYTES = 24;

/**
 * Splits messages into requests of at most `maxBytes`. A larger message becomes a request of its own, which the broker
 * may reject.
 */
export function cutMessages(messages: readonly OutgoingMessage[], maxBytes: number): Message[][] {
  const pieces: Message[][] = [];
  let piece: Message[] = [];
  let bytes = 0;
  for (const message of messages) {
    const size = sizeOf(message);
    if (piece.length > 0 && bytes + size > maxBytes) {
      pieces.push(piece);
      piece = [];
      bytes = 0;
    }
    piece.push({ key: message.key, value: message.value, headers: { ...message.headers } });
    bytes += size;
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}

function sizeOf({ key, value, headers }: OutgoingMessage): number {
  let bytes = RECORD_OVERHEAD_BYTES + (key === null ? 0 : Buffer.byteLength(key)) + Buffer.byteLength(value);
  for (const [name, content] of Object.entries(headers ?? {}))
    bytes += 4 + Buffer.byteLength(name) + Buffer.byteLength(content);
  return bytes;
}
