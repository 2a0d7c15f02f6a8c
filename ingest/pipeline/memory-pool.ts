/**
 * Large pieces of memory that are used again and again. The garbage collector would free them too, but late: it does not see how much lies
 * behind the small objects, and by then the process has taken several times what it needs. Pieces are shared memory: other threads read them where
 * they are, and the collector does not take them for garbage to come: with each batch that filled and was released it went through the whole heap.
 */
export interface MemoryPool {
  /** At least `bytes`, contents undefined. */
  take(bytes: number): Buffer;
  /** Memory without readers. */
  giveBack(memory: Buffer): void;
}

/** Pieces are multiples of this, so that one fits the next that wants about as much. Smaller ones are left to the garbage collector. */
const STEP = 64 * 1024;
/** Larger pieces are seldom wanted twice. */
const LARGEST = 2 * 1024 * 1024;

/** `maxIdleBytes`: kept at most for later. */
export function createMemoryPool(maxIdleBytes: number): MemoryPool {
  const idle = new Map<number, Buffer[]>();
  let idleBytes = 0;

  /** The smallest idle piece of at least this size. One up to twice as large is used rather than new memory: batches differ, and each size would keep its own. */
  function findIdle(size: number): Buffer | undefined {
    const largest = Math.min(LARGEST, 2 * size);
    for (let length = size; length <= largest; length += STEP) {
      const found = idle.get(length)?.pop();
      if (found !== undefined) return found;
    }
    return undefined;
  }

  return {
    take(bytes) {
      if (bytes < STEP / 2 || bytes > LARGEST) return Buffer.allocUnsafeSlow(bytes);
      const size = Math.ceil(bytes / STEP) * STEP;
      const found = findIdle(size);
      if (found === undefined) return Buffer.from(new SharedArrayBuffer(size));
      idleBytes -= found.length;
      return found;
    },
    giveBack(memory) {
      const { length } = memory;
      if (length === 0 || length > LARGEST || length % STEP !== 0) return;
      if (idleBytes + length > maxIdleBytes) return;
      idleBytes += length;
      const others = idle.get(length);
      if (others === undefined) idle.set(length, [memory]);
      else others.push(memory);
    },
  };
}
