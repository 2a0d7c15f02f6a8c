import { describe, expect, it } from 'vitest';
import { createMemoryPool } from '#ingest/pipeline/memory-pool.ts';

const KIB = 1024;

describe('the memory pool', () => {
  it('reuses a released piece for a request of about the same size, for one caller at a time', () => {
    const pool = createMemoryPool(1024 * KIB);
    const piece = pool.take(250 * KIB);
    expect(piece.length).toBe(256 * KIB);
    pool.release(piece);
    expect(pool.take(230 * KIB) === piece).toBe(true);
    expect(pool.take(230 * KIB) === piece).toBe(false);
  });

  it('prefers an idle piece of up to twice the size over new memory, smallest first', () => {
    const pool = createMemoryPool(2048 * KIB);
    const pieces = [pool.take(512 * KIB), pool.take(256 * KIB)];
    for (const piece of pieces) pool.release(piece);
    expect(pool.take(192 * KIB) === pieces[1]).toBe(true);
    expect(pool.take(192 * KIB).length).toBe(192 * KIB);
    expect(pool.take(256 * KIB) === pieces[0]).toBe(true);
  });

  it('keeps at most its limit', () => {
    const pool = createMemoryPool(300 * KIB);
    const pieces = [pool.take(256 * KIB), pool.take(256 * KIB)];
    for (const piece of pieces) pool.release(piece);
    expect(pieces.includes(pool.take(256 * KIB))).toBe(true);
    expect(pieces.includes(pool.take(256 * KIB))).toBe(false);
  });

  it('leaves small and huge pieces to the garbage collector', () => {
    const pool = createMemoryPool(1024 * 1024 * KIB);
    for (const bytes of [0, 1, 1000, 3 * 1024 * KIB]) {
      const piece = pool.take(bytes);
      expect(piece.length).toBe(bytes);
      pool.release(piece);
      expect(pool.take(bytes) === piece).toBe(false);
    }
  });
});
