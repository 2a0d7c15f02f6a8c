import { expect, test } from 'vitest';
import { createChunkGates } from '#ingest/pipeline/chunk-gates.ts';
import { createMemoryPool } from '#ingest/pipeline/memory-pool.ts';
import type { OpenedLane } from '#ingest/pipeline/open-lane.ts';
import { packRecords, readPacked } from '#ingest/pipeline/packed-records.ts';
import type { HeldChunk } from '#ingest/pipeline/record.ts';

const pool = createMemoryPool(0);

function chunk(): HeldChunk {
  return { records: readPacked(packRecords([], pool), pool.release), bytes: 0 };
}

/** The gates use only the identity of the state. */
function openedLane(): OpenedLane {
  return {} as OpenedLane;
}

/** Chunk gates over a single gate whose results the test controls. */
function testGates() {
  const asked: (PromiseWithResolvers<void> | undefined)[] = [];
  const reports: unknown[] = [];
  const reported = { next: Promise.withResolvers<void>() };
  const report = (what: unknown) => {
    reports.push(what);
    reported.next.resolve();
    reported.next = Promise.withResolvers();
  };
  let waits = true;
  const gates = createChunkGates({
    gates: [
      {
        prepare() {
          const answer = waits ? Promise.withResolvers<void>() : undefined;
          asked.push(answer);
          return answer?.promise;
        },
      },
    ],
    passed: () => report('passed'),
    failed: report,
  });
  return { gates, asked, reports, reported: () => reported.next.promise, open: () => (waits = false) };
}

test('a chunk without a waiting gate passes immediately', () => {
  const { gates, reports, open } = testGates();
  open();
  expect(gates.letThrough(chunk(), openedLane(), [])).toBe(true);
  expect(gates.isWaiting()).toBe(false);
  expect(reports).toEqual([]);
});

test('a chunk waits for its gate once, then passes without another query', async () => {
  const { gates, asked, reports, reported } = testGates();
  const first = chunk();
  const lane = openedLane();
  expect(gates.letThrough(first, lane, [first])).toBe(false);
  expect(gates.isWaiting()).toBe(true);
  const report = reported();
  asked[0]?.resolve();
  await report;
  expect(reports).toEqual(['passed']);
  expect(gates.isWaiting()).toBe(false);
  expect(gates.letThrough(first, lane, [first])).toBe(true);
  expect(asked.length).toBe(1);
});

test('a chunk that waited has the arrival time of the start of its wait, other chunks the current time', async () => {
  const { gates, asked, reported } = testGates();
  const [first, other] = [chunk(), chunk()];
  const from = performance.now();
  gates.letThrough(first, openedLane(), [first]);
  const to = performance.now();
  const report = reported();
  asked[0]?.resolve();
  await report;
  expect(gates.arrivedAt(first)).toBeGreaterThanOrEqual(from);
  expect(gates.arrivedAt(first)).toBeLessThanOrEqual(to);
  expect(gates.arrivedAt(other)).toBeGreaterThanOrEqual(to);
});

test('a reopened lane queries again, because the answer was for the previous state', async () => {
  const { gates, asked, reported } = testGates();
  const first = chunk();
  expect(gates.letThrough(first, openedLane(), [first])).toBe(false);
  const report = reported();
  asked[0]?.resolve();
  await report;
  expect(gates.letThrough(first, openedLane(), [first])).toBe(false);
  expect(asked.length).toBe(2);
});

test('an error of a gate is reported, and no other chunk passes', async () => {
  const { gates, asked, reports, reported } = testGates();
  gates.letThrough(chunk(), openedLane(), []);
  const error = new Error('the store refused');
  const report = reported();
  asked[0]?.reject(error);
  await report;
  expect(reports).toEqual([error]);
  expect(gates.isWaiting()).toBe(true);
});
