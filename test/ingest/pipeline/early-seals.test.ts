import { expect, test } from 'vitest';
import { createEarlySeals } from '#ingest/pipeline/early-seals.ts';

test('the first batch may be sealed early at once, the next one after the interval', () => {
  expect(createEarlySeals(Number.POSITIVE_INFINITY).nextAt()).toBe(Number.NEGATIVE_INFINITY);
  const early = createEarlySeals(60);
  expect(early.nextAt()).toBe(Number.NEGATIVE_INFINITY);
  early.taken(1000);
  expect(early.nextAt()).toBe(1060);
});

test('a store that is slow gets fewer early batches until it is fast again', () => {
  const early = createEarlySeals(60);
  early.taken(1000);
  early.landed(400);
  expect(early.nextAt()).toBe(1400);
  early.landed(20);
  expect(early.nextAt()).toBe(1060);
});

test('a single slow batch delays no later one; a store that stays slow does', () => {
  const early = createEarlySeals(60);
  early.taken(1000);
  for (const tookMs of [20, 20, 400]) early.landed(tookMs);
  expect(early.nextAt()).toBe(1060);
  for (const tookMs of [400, 400]) early.landed(tookMs);
  expect(early.nextAt()).toBe(1400);
});
