import { afterEach, expect, test, vi } from 'vitest';
import { type BatchIntakeDeps, createBatchIntake } from '#ingest/pipeline/batch-intake.ts';
import { createMemoryPool } from '#ingest/pipeline/memory-pool.ts';
import type { OpenedLane } from '#ingest/pipeline/open-lane.ts';
import { packRecords, readPacked } from '#ingest/pipeline/packed-records.ts';
import type { HeldChunk } from '#ingest/pipeline/record.ts';

afterEach(() => vi.restoreAllMocks());

/** Returns how many records each call of `fill` takes when every record takes 10 ms. */
function portionsOf(count: number, bytes: number): number[] {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const pool = createMemoryPool(0);
  const record = (offset: number) => ({ offset, key: null, value: Buffer.alloc(bytes), ingestId: '' });
  const packed = packRecords(
    Array.from({ length: count }, (_, offset) => record(offset)),
    pool,
  );
  const records = readPacked(packed, pool.release);
  let taken = 0;
  const settings = {};
  const intake = createBatchIntake({
    counted: false,
    takeIn: () => {
      taken++;
      nowMs += 10;
    },
    store: { openEvents: () => ({}), openDeadLetters: () => ({}) },
    rules: { settings: () => settings },
    owner: { isBehind: () => false },
    nowMs: () => nowMs,
  } as unknown as BatchIntakeDeps);
  const state = { position: -1, settings } as unknown as OpenedLane;
  intake.begin({ records, bytes: count * bytes } as unknown as HeldChunk, state, 0);
  const portions: number[] = [];
  let done: number | undefined;
  while (done === undefined) {
    const before = taken;
    done = intake.fill(state);
    portions.push(taken - before);
  }
  return portions;
}

test('reads the clock once per sixteen small records', () => {
  expect(portionsOf(40, 100)).toEqual([16, 16, 8]);
});

test('yields after two large records, which take as long as many small ones', () => {
  expect(portionsOf(5, 100_000)).toEqual([2, 2, 1]);
});
