import { expect, test } from 'vitest';
import { createIngestIdGate } from '#ingest/pipeline/ingest-id-gate.ts';
import { createMemoryPool } from '#ingest/pipeline/memory-pool.ts';
import { type PackedRecords, packRecords, readPacked } from '#ingest/pipeline/packed-records.ts';
import { createRecentIds } from '#ingest/pipeline/recent-ids.ts';
import type { LaneState } from '#ingest/pipeline/record-steps.ts';

const pool = createMemoryPool(0);
const chunk = (...ids: readonly string[]): PackedRecords =>
  readPacked(
    packRecords(
      ids.map((ingestId, offset) => ({ offset, key: null, value: Buffer.from('{}'), ingestId })),
      pool,
    ),
    pool.release,
  );
const numbered = (from: number, count: number) => chunk(...Array.from({ length: count }, (_, i) => `id-${from + i}`));

/** A gate that records its queries; `landed` is the result of each. */
function testGate(landed: readonly string[] = [], capacity = 1000) {
  const questions: (readonly string[])[] = [];
  const gate = createIngestIdGate(async (ids) => {
    questions.push(ids);
    return new Set(landed);
  });
  // Only this member is used.
  const state = {
    recentIds: createRecentIds(capacity),
    landedIds: new Set(),
    askedAhead: new Set(),
  } as unknown as LaneState;
  return { gate, questions, state };
}

test('one query covers the following chunks, which pass without another query', async () => {
  const { gate, questions, state } = testGate(['b', 'd']);
  state.recentIds.add('c');
  const [first, second, third] = [chunk('a', 'b'), chunk('c', ''), chunk('d')];
  await gate.prepare(first, state, [second, third]);
  expect(questions).toEqual([['a', 'b', 'd']]);
  expect(state.askedAhead).toEqual(new Set([second, third]));
  expect(gate.prepare(second, state, [third])).toBeUndefined();
  expect(gate.prepare(third, state, [])).toBeUndefined();
  expect(state.askedAhead.size).toBe(0);
  expect(state.landedIds).toEqual(new Set(['b', 'd']));
  // The id arrived after the query.
  await gate.prepare(chunk('e'), state, []);
  expect(questions.at(-1)).toEqual(['e']);
});

test('records without an ingest id cause no query, even if others follow', () => {
  const { gate, questions, state } = testGate();
  expect(gate.prepare(chunk('', ''), state, [chunk('a')])).toBeUndefined();
  expect(questions).toEqual([]);
});

test('a query includes few ids of following chunks, and never a part of a chunk', async () => {
  const { gate, questions, state } = testGate();
  await gate.prepare(numbered(0, 60), state, [numbered(60, 30), numbered(90, 20), numbered(110, 1)]);
  expect(questions[0]?.length).toBe(90);
  expect(state.askedAhead.size).toBe(1);
  await gate.prepare(numbered(200, 5000), state, [numbered(6000, 1)]);
  expect(questions[1]?.length).toBe(5000);
});

test('does not query ahead while ids must be forgotten, because ids of a remaining chunk are kept', async () => {
  const { gate, questions, state } = testGate([], 2);
  for (const id of ['x', 'y']) state.recentIds.add(id);
  await gate.prepare(chunk('a'), state, [chunk('b')]);
  expect(questions).toEqual([['a']]);
  expect(state.askedAhead.size).toBe(0);
});
