/**
 * Reuses large buffers. The garbage collector does not account for the memory behind small Buffer objects. It would
 * free them late, when the process uses several times the memory it needs. Pooled buffers are SharedArrayBuffers, for
 * two reasons. Other threads can read them without a copy. They also do not count towards the allocation limit that
 * triggers a full collection with each batch.
 */
export interface MemoryPool {
  /** Returns a buffer of at least `bytes`, with undefined contents. */
  take(bytes: number): Buffer;
  /** Returns a buffer to the pool. It must have no readers. */
  release(memory: Buffer): void;
}

/**
 * Buffer sizes are multiples of this, so that buffers of similar size are interchangeable. Smaller buffers are not
 * pooled.
 */
const STEP = 64 * 1024;
/** Larger buffers are rarely reused. */
const MAX_POOLED_BYTES = 2 * 1024 * 1024;

/** `maxIdleBytes`: maximum total size of unused buffers. */
export function createMemoryPool(maxIdleBytes: number): MemoryPool {
  const idle = new Map<number, Buffer[]>();
  let idleBytes = 0;

  /**
   * Returns the smallest unused buffer of at least `size` and at most twice that. Batches differ in size; exact matches
   * would leave many buffers unused.
   */
  function findIdle(size: number): Buffer | undefined {
    const largest = Math.min(MAX_POOLED_BYTES, 2 * size);
    for (let length = size; length <= largest; length += STEP) {
      const found = idle.get(length)?.pop();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return {
    take(bytes) {
      if (bytes < STEP / 2 || bytes > MAX_POOLED_BYTES) return Buffer.allocUnsafeSlow(bytes);
      const size = Math.ceil(bytes / STEP) * STEP;
      const found = findIdle(size);
      if (found === undefined) return Buffer.from(new SharedArrayBuffer(size));
      idleBytes -= found.length;
      return found;
    },
    release(memory) {
      const { length } = memory;
      if (length === 0 || length > MAX_POOLED_BYTES || length % STEP !== 0) return;
      if (idleBytes + length > maxIdleBytes) return;
      idleBytes += length;
      const others = idle.get(length);
      if (others === undefined) idle.set(length, [memory]);
      else others.push(memory);
    },
  };
}
