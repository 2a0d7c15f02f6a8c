import { GrowingBytes } from './growing-bytes.ts';
import type { ColumnEncoder, WireType } from './wire-type.ts';

/**
 * A text after its length, as in a String column, inside a larger buffer. Consecutive stored texts form a finished part
 * of a column, which is sent to the socket without a copy.
 */
export interface StoredText {
  readonly memory: Buffer;
  /** Offset of the length. */
  readonly from: number;
  readonly to: number;
}

/** Returns the stored size in bytes of a text of `length` bytes. */
export function storedSize(length: number): number {
  return length + (length < 128 ? 1 : length < 16_384 ? 2 : length < 2_097_152 ? 3 : length < 268_435_456 ? 4 : 5);
}

/** Stores a text at `at`, where there must be enough space. Returns the end offset. */
export function storeText(text: Buffer, memory: Buffer, at: number): number {
  let rest = text.length;
  let to = at;
  while (rest > 127) {
    memory[to++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  memory[to++] = rest;
  // Not `memory.set`: V8 copies into shared memory byte by byte, which takes three times as long.
  text.copy(memory, to);
  return to + text.length;
}

/**
 * Minimum size of a part that is sent without a copy. Shorter parts are copied together, to avoid small writes to the
 * socket.
 */
const LONG = 64 * 1024;

/**
 * Texts that need not be UTF-8. They are stored by reference until the block is sent, because they are most of a block
 * and already in memory.
 */
export const storedTexts: WireType<StoredText | Buffer> = {
  name: 'String',
  open(): ColumnEncoder<StoredText | Buffer> {
    const stretches: Buffer[] = [];
    let memory: Buffer | undefined;
    let from = 0;
    let to = 0;
    let bytes = 0;

    function close(): void {
      if (memory !== undefined) stretches.push(memory.subarray(from, to));
      memory = undefined;
    }

    return {
      add(value) {
        const text = Buffer.isBuffer(value) ? stored(value) : value;
        bytes += text.to - text.from;
        if (text.memory !== memory || text.from !== to) {
          close();
          memory = text.memory;
          from = text.from;
        }
        to = text.to;
      },
      get bytes() {
        return bytes;
      },
      data() {
        close();
        return pieces(stretches);
      },
      clear() {
        memory = undefined;
        stretches.length = 0;
        bytes = 0;
      },
    };
  },
};

function stored(text: Buffer): StoredText {
  const memory = Buffer.allocUnsafe(storedSize(text.length));
  return { memory, from: 0, to: storeText(text, memory, 0) };
}

function* pieces(stretches: readonly Buffer[]): Generator<Buffer> {
  let gathered = new GrowingBytes(LONG);
  for (const stretch of stretches) {
    if (gathered.length > 0 && gathered.length + stretch.length > LONG) {
      yield gathered.bytes();
      gathered = new GrowingBytes(LONG);
    }
    if (stretch.length >= LONG) yield stretch;
    else gathered.append(stretch);
  }
  yield gathered.bytes();
}
