import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createEarlySeals, createSharedSealTime } from '#ingest/pipeline/early-seals.ts';

test('the first early batch is sealed immediately, the next one after the interval', () => {
  expect(createEarlySeals(Number.POSITIVE_INFINITY).nextAt()).toBe(Number.NEGATIVE_INFINITY);
  const early = createEarlySeals(60);
  expect(early.nextAt()).toBe(Number.NEGATIVE_INFINITY);
  early.taken(1000);
  expect(early.nextAt()).toBeCloseTo(1060, 2);
});

test('pipelines that share the time of the last early batch share the interval', () => {
  const shared = createSharedSealTime();
  const [one, other] = [createEarlySeals(60, shared), createEarlySeals(60, shared)];
  one.taken(1000);
  expect(other.nextAt()).toBeCloseTo(1060, 2);
});

test('a thread converts the time of another thread to its own clock', async () => {
  const shared = createSharedSealTime();
  const module = new URL('../../../ingest/pipeline/early-seals.ts', import.meta.url).href;
  const code = `
    const { workerData, parentPort } = require('node:worker_threads');
    import(${JSON.stringify(module)}).then(({ createEarlySeals }) => {
      createEarlySeals(60, workerData).taken(performance.now());
      parentPort.postMessage('taken');
    });`;
  const before = performance.now();
  const worker = new Worker(code, { eval: true, workerData: shared });
  await once(worker, 'message');
  const takenAt = createEarlySeals(0, shared).nextAt();
  expect(takenAt).toBeGreaterThanOrEqual(before - 0.01);
  expect(takenAt).toBeLessThanOrEqual(performance.now() + 0.01);
  await worker.terminate();
});

test('a slow store gets fewer early batches until it is fast again', () => {
  const early = createEarlySeals(60);
  early.taken(1000);
  early.landed(400);
  expect(early.nextAt()).toBeCloseTo(1400, 2);
  early.landed(20);
  expect(early.nextAt()).toBeCloseTo(1060, 2);
});

test('a single slow batch does not delay later ones, but a store that stays slow does', () => {
  const early = createEarlySeals(60);
  early.taken(1000);
  for (const tookMs of [20, 20, 400]) early.landed(tookMs);
  expect(early.nextAt()).toBeCloseTo(1060, 2);
  for (const tookMs of [400, 400]) early.landed(tookMs);
  expect(early.nextAt()).toBeCloseTo(1400, 2);
});
