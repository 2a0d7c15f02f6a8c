import { connect } from 'node:net';
import type { Batch } from 'kafkajs';
import { type OpenSocket, openDirectly } from './client.ts';
import { createFrames } from './frames.ts';

/**
 * Memory for the responses of a consumer's connections. kafkajs allocates memory for each chunk from the socket, and
 * again for the whole response. It thus allocates twice the size of all records, and V8 runs a full collection per 64
 * MiB. This pool reuses the memory of responses that are no longer needed.
 */
export interface ResponseMemory {
  /** Opens a connection whose responses are read into this memory. Has no effect on TLS connections. */
  readonly open: OpenSocket;
  /**
   * Notes that nothing refers to the records of this batch any more. Call it once per batch: the client delivers each
   * batch once, and fetches its records again after an error. When all batches of a response are released, its memory
   * is reused.
   */
  release(batch: Batch): void;
}

/** Smaller responses are not pooled. */
const MIN_POOLED_BYTES = 64 * 1024;
/** Buffer sizes are multiples of this, so that a buffer fits the next response. */
const STEP = 256 * 1024;
/** Larger responses hold one large record and are rare. They are not pooled. */
const MAX_POOLED_BYTES = 4 * 1024 * 1024;
/** A consumer waits for the batches of one response per broker. */
const MAX_IDLE = 4;
const RECEIVED_BYTES = 256 * 1024;

export function createResponseMemory(): ResponseMemory {
  const idle: Buffer[] = [];
  /**
   * Memory of responses that are not released yet. If one is never released, it is collected together with its records.
   */
  const used = new WeakMap<ArrayBufferLike, Buffer>();

  function take(bytes: number): Buffer {
    if (bytes < MIN_POOLED_BYTES || bytes > MAX_POOLED_BYTES) return Buffer.allocUnsafeSlow(bytes);
    const at = idle.findIndex(({ length }) => length >= bytes);
    const [memory = Buffer.allocUnsafeSlow(Math.ceil(bytes / STEP) * STEP)] = at < 0 ? [] : idle.splice(at, 1);
    used.set(memory.buffer, memory);
    return memory;
  }

  return {
    open(target, onConnect) {
      if (target.ssl !== undefined) return openDirectly(target, onConnect);
      const frames = createFrames(take, (frame) => socket.emit('data', frame));
      const received = {
        buffer: Buffer.allocUnsafeSlow(RECEIVED_BYTES),
        callback(bytes: number, buffer: Uint8Array) {
          frames.add(buffer.subarray(0, bytes));
          return true;
        },
      };
      const socket = connect({ host: target.host, port: target.port, onread: received }, onConnect);
      return socket;
    },
    release(batch) {
      const { response } = batch as FetchedBatch;
      response.batches -= 1;
      if (response.batches > 0) return;
      const memory = used.get(memoryOf(batch) as ArrayBufferLike);
      if (memory === undefined) return;
      used.delete(memory.buffer);
      if (idle.length < MAX_IDLE) idle.push(memory);
    },
  };
}

/**
 * A batch as the correction `response-memory` of kafkajs provides it, with the number of batches of the response that
 * are not empty.
 */
interface FetchedBatch extends Batch {
  readonly response: { batches: number };
}

/**
 * Returns the memory that holds the records of a batch: that of the response, or other memory if they were compressed.
 */
function memoryOf({ messages }: Batch): ArrayBufferLike | undefined {
  for (const { key, value } of messages) {
    const bytes = value ?? key;
    if (bytes !== null && bytes.length > 0) return bytes.buffer;
  }
  return undefined;
}
