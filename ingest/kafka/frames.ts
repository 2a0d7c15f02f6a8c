/** Reassembles the responses of a broker from the chunks in which they arrive. */
export interface Frames {
  /** Copies the next bytes of the connection. */
  add(piece: Uint8Array): void;
}

/**
 * Each response is preceded by its length, a signed 32-bit integer (Kafka protocol guide, "Protocol Primitive Types"
 * and "Request and Response Headers").
 */
const LENGTH_BYTES = 4;

/**
 * `take` allocates at least the given number of bytes. `received` is called with each complete response including its
 * length, in order of arrival.
 */
export function createFrames(take: (bytes: number) => Buffer, received: (frame: Buffer) => void): Frames {
  const length = Buffer.alloc(LENGTH_BYTES);
  let lengthBytes = 0;
  let frame: Buffer | undefined;
  let filled = 0;

  /** Copies the missing bytes of a frame. Returns the number of copied bytes. */
  function fill(into: Buffer, from: number, piece: Uint8Array, at: number): number {
    const bytes = Math.min(into.length - from, piece.length - at);
    into.set(piece.subarray(at, at + bytes), from);
    return bytes;
  }

  function begin(): Buffer {
    const bytes = length.readInt32BE();
    if (bytes < 0) throw new RangeError(`the broker announces a response of ${bytes} bytes`);
    const size = LENGTH_BYTES + bytes;
    const memory = take(size).subarray(0, size);
    memory.set(length);
    lengthBytes = 0;
    filled = LENGTH_BYTES;
    return memory;
  }

  return {
    add(piece) {
      for (let at = 0; at < piece.length; ) {
        if (frame === undefined) {
          const copied = fill(length, lengthBytes, piece, at);
          lengthBytes += copied;
          at += copied;
          if (lengthBytes < LENGTH_BYTES) return;
          frame = begin();
        }
        const copied = fill(frame, filled, piece, at);
        filled += copied;
        at += copied;
        if (filled < frame.length) continue;
        const whole = frame;
        frame = undefined;
        received(whole);
      }
    },
  };
}
