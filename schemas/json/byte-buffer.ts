/** Growing buffer for bytes that arrive in chunks of any size. */
export interface ByteBuffer {
  readonly length: number;
  append(bytes: Buffer): void;
  /** Returns all bytes and empties the buffer. */
  take(): Buffer;
}

/**
 * Copies the chunks into one buffer that doubles when it is full, so that single bytes do not cost one object each. A
 * single chunk is not copied.
 */
export function createByteBuffer(): ByteBuffer {
  let held: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(bytes) {
      if (length === 0) {
        held = bytes;
      } else {
        if (length + bytes.length > held.length) {
          const larger = Buffer.allocUnsafe(2 * (length + bytes.length));
          held.copy(larger, 0, 0, length);
          held = larger;
        }
        bytes.copy(held, length);
      }
      length += bytes.length;
    },
    take() {
      const all = held.subarray(0, length);
      held = Buffer.alloc(0);
      length = 0;
      return all;
    },
  };
}
