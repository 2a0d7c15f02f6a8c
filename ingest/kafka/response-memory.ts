import { connect } from 'node:net';
import type { Batch } from 'kafkajs';
import { type OpenSocket, openDirectly } from './client.ts';
import { createFrames } from './frames.ts';

/**
 * The memory that a consumer's connections receive responses in. As published, the client takes new memory for each piece that the socket delivers, and again
 * for the whole response: the records of a second take twice their size, and V8 goes through the whole heap each 64 MiB. With this, a response goes into
 * memory that an earlier one no longer needs.
 */
export interface ResponseMemory {
  /** Opens a connection whose responses arrive in this memory. Those over TLS do not. */
  readonly open: OpenSocket;
  /**
   * Nothing refers to the records of this batch any more. Call it once for a batch: the client hands on each batch once, and fetches its records again after
   * an error. Once all batches of a response are released, its memory is used again.
   */
  release(batch: Batch): void;
}

/** Smaller responses are left to the garbage collector. */
const SMALLEST = 64 * 1024;
/** Sizes are multiples of this, so that one piece fits the next response. */
const STEP = 256 * 1024;
/** Larger responses hold one large record, and are rare. */
const LARGEST = 4 * 1024 * 1024;
/** A consumer waits for the batches of one response of each broker. */
const MAX_IDLE = 4;
const RECEIVED_BYTES = 256 * 1024;

export function createResponseMemory(): ResponseMemory {
  const idle: Buffer[] = [];
  /** Memory of a response that is not released. One that never is goes with its records. */
  const used = new WeakMap<ArrayBufferLike, Buffer>();

  function take(bytes: number): Buffer {
    if (bytes < SMALLEST || bytes > LARGEST) return Buffer.allocUnsafeSlow(bytes);
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

/** As the correction `response-memory` of the client leaves it: how many batches of the response are not empty. */
interface FetchedBatch extends Batch {
  readonly response: { batches: number };
}

/** What the records of a batch lie in: the memory of the response, or, of compressed ones, other memory. */
function memoryOf({ messages }: Batch): ArrayBufferLike | undefined {
  for (const { key, value } of messages) {
    const bytes = value ?? key;
    if (bytes !== null && bytes.length > 0) return bytes.buffer;
  }
  return undefined;
}
