import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { OutboundFailure } from '#api/outbound/port.ts';

export interface MessageLimits {
  /** Maximum bytes of all messages, as received and after decompression. */
  readonly maxBytes: number;
  readonly maxMessages: number;
}

/** Size of the compression flag and the length. */
const PREFIX_BYTES = 5;
const DECODERS: Readonly<Record<string, typeof gunzip>> = { gzip: gunzip, deflate: inflate };

/** Codings of responses that this client reads. */
export const ACCEPTED_CODINGS = ['identity', ...Object.keys(DECODERS)].join();

/** Returns a message with its prefix. Requests are not compressed. */
export function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(PREFIX_BYTES);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/**
 * Reads the length-prefixed messages of a response as they arrive. `coding` returns the value of `grpc-encoding`. Rejects
 * with `OutboundFailure` when a limit is exceeded, before the rest is read, and for incomplete messages.
 */
export async function readMessages(
  chunks: AsyncIterable<Buffer>,
  coding: () => string,
  limits: MessageLimits,
): Promise<readonly Buffer[]> {
  const messages: Buffer[] = [];
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let needed = PREFIX_BYTES;
  let received = 0;
  let decoded = 0;

  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > limits.maxBytes) throw tooLarge(limits);
    pending.push(chunk);
    pendingBytes += chunk.length;
    // Joins chunks only when a whole message is there, so a large message is not copied for each of its chunks.
    if (pendingBytes >= needed) await takeMessages();
  }
  if (pendingBytes > 0) throw new OutboundFailure('broken_response', 'a message is incomplete');
  return messages;

  async function takeMessages(): Promise<void> {
    const bytes = Buffer.concat(pending);
    let at = 0;
    needed = PREFIX_BYTES;
    while (bytes.length - at >= PREFIX_BYTES) {
      const end = at + PREFIX_BYTES + bytes.readUInt32BE(at + 1);
      if (end > bytes.length) {
        needed = end - at;
        break;
      }
      if (messages.length >= limits.maxMessages)
        throw new OutboundFailure('too_large', `the response has more than ${limits.maxMessages} messages`);
      const message = bytes.subarray(at + PREFIX_BYTES, end);
      messages.push(bytes[at] === 0 ? message : await decompressed(message));
      at = end;
    }
    pending = [bytes.subarray(at)];
    pendingBytes = bytes.length - at;
  }

  async function decompressed(message: Buffer): Promise<Buffer> {
    const decode = DECODERS[coding()];
    if (decode === undefined)
      throw new OutboundFailure('broken_response', 'a message has a compression that was not requested');
    const left = limits.maxBytes - decoded;
    if (left <= 0) throw tooLarge(limits);
    const result = await promisify(decode)(message, { maxOutputLength: left }).catch((cause: unknown) => {
      if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limits);
      throw new OutboundFailure('broken_response', 'a message cannot be decompressed', { cause });
    });
    decoded += result.length;
    return result;
  }
}

function tooLarge({ maxBytes }: MessageLimits): OutboundFailure {
  return new OutboundFailure('too_large', `the response is larger than ${maxBytes} bytes`);
}
