import { randomUUID } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSpool, type Spool } from '#ingest/detector/sinks/spool.ts';
import type { SpooledBatch } from '#ingest/detector/sinks/spool-record.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trapline-spool-'));
});
afterEach(() => rm(directory, { recursive: true }));

const batch = (n: number, size = 100): SpooledBatch => ({ key: randomUUID(), events: n, body: Buffer.alloc(size, n) });
const open = (maxBytes = 1_000_000): Promise<Spool> => openSpool({ directory, maxBytes, segmentBytes: 300 });

async function drain(spool: Spool): Promise<number[]> {
  const seen: number[] = [];
  for (let next = await spool.peek(); next; next = await spool.peek()) {
    expect(next.body).toEqual(Buffer.alloc(next.body.length, next.events));
    seen.push(next.events);
    await spool.remove();
  }
  return seen;
}

test('is first in, first out over several segments, and deletes consumed segments', async () => {
  const spool = await open();
  for (let n = 1; n <= 7; n++) expect(await spool.append(batch(n))).toBe(true);
  expect((await readdir(directory)).length).toBeGreaterThan(2);
  expect(await drain(spool)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(spool.isEmpty).toBe(true);
  expect(spool.bytes).toBe(0);
  expect(await readdir(directory)).toEqual([]);
  expect(await spool.append(batch(8))).toBe(true);
  expect(await drain(spool)).toEqual([8]);
  await spool.close();
});

test('after a restart all remaining records are there, with the same keys', async () => {
  const first = await open();
  const batches = [1, 2, 3].map((n) => batch(n, 400));
  for (const one of batches) await first.append(one);
  await first.peek();
  await first.remove();
  await first.close();
  const second = await open();
  await second.append(batch(4));
  expect((await second.peek())?.key).toBe(batches[1]?.key);
  expect(await drain(second)).toEqual([2, 3, 4]);
  await second.close();
});

test('a truncated or damaged record ends its segment, and is never an error', async () => {
  const spool = await open();
  await spool.append(batch(1));
  await spool.append(batch(2, 500));
  await spool.append(batch(3));
  await spool.close();
  const [one, two] = (await readdir(directory)).sort().map((name) => join(directory, name)) as [string, string];
  const bytes = await readFile(one);
  await truncate(one, bytes.length - 1);
  await appendFile(two, 'TRPS garbage');
  await writeFile(join(directory, 'unrelated.txt'), 'x');
  const again = await open();
  expect(await drain(again)).toEqual([1, 3]);
  await again.close();
});

test('above the limit it rejects new records and keeps old ones', async () => {
  const spool = await open(400);
  expect(await spool.append(batch(1))).toBe(true);
  expect(await spool.append(batch(2))).toBe(true);
  expect(await spool.append(batch(3))).toBe(false);
  await spool.peek();
  await spool.remove();
  await spool.peek();
  await spool.remove();
  expect(await spool.append(batch(4))).toBe(true);
  expect(await drain(spool)).toEqual([4]);
  await spool.close();
});

test('appending during draining loses nothing', async () => {
  const spool = await open();
  const appended: Promise<boolean>[] = [];
  const seen: number[] = [];
  for (let n = 1; n <= 60; n++) {
    appended.push(spool.append(batch(n, 120)));
    if (n % 3 === 0) seen.push(...(await drain(spool)));
  }
  expect((await Promise.all(appended)).every(Boolean)).toBe(true);
  seen.push(...(await drain(spool)));
  expect(seen).toEqual(Array.from({ length: 60 }, (_value, at) => at + 1));
  await spool.close();
});
