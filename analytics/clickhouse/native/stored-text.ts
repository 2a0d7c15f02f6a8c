import { GrowingBytes } from './growing-bytes.ts';
import type { ColumnEncoder, WireType } from './wire-type.ts';

/**
 * A text behind its length, as a String column has it, somewhere in a larger piece of memory. Texts that were stored one behind the other
 * are a finished stretch of a column: nothing of them is copied again until the socket takes it.
 */
export interface StoredText {
  readonly memory: Buffer;
  /** Of the length. */
  readonly from: number;
  readonly to: number;
}

/** Bytes that `length` bytes of text take when stored. */
export function storedSize(length: number): number {
  return length + (length < 128 ? 1 : length < 16_384 ? 2 : length < 2_097_152 ? 3 : length < 268_435_456 ? 4 : 5);
}

/** Stores a text at `at`; where it ends. There must be room for it. */
export function storeText(text: Buffer, memory: Buffer, at: number): number {
  let rest = text.length;
  let to = at;
  while (rest > 127) {
    memory[to++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  memory[to++] = rest;
  // Not `memory.set`: into shared memory V8 copies that byte by byte, which takes three times as long.
  text.copy(memory, to);
  return to + text.length;
}

/** Stretches at least this long go out as they are; shorter ones are copied together, so that each write to the socket carries something. */
const LONG = 64 * 1024;

/** Texts that need not be UTF-8, kept by reference until the block is sent: they are most of a block, and are in memory already. */
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
