import { appendFile, mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFileSource } from '#ingest/detector/sources/file-source.ts';
import { createKmsgSource, type KmsgDevice } from '#ingest/detector/sources/kmsg-source.ts';
import type { KernelLogSource, SourceItem } from '#ingest/detector/sources/source.ts';
import { createStreamSource } from '#ingest/detector/sources/stream-source.ts';
import { waitFor } from '#test/support/wait-for.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trapline-source-'));
});
afterEach(() => rm(directory, { recursive: true }));

/** Reads in the background and appends to `items`. */
function collect(source: KernelLogSource): { items: SourceItem[]; lines(): string[]; stop(): Promise<void> } {
  const stopping = new AbortController();
  const items: SourceItem[] = [];
  const reading = (async () => {
    for await (const item of source(stopping.signal)) items.push(item);
  })();
  return {
    items,
    lines: () => items.flatMap((item) => (item.kind === 'lines' ? item.lines : [])),
    async stop() {
      stopping.abort();
      await reading;
    },
  };
}

/** A log ring with scripted reads: each returns a record or fails with an error code. */
function device(script: string[]): KmsgDevice & { closed: boolean } {
  return {
    closed: false,
    read(into) {
      const next = script.shift();
      if (next === undefined || /^E[A-Z]+$/.test(next))
        throw Object.assign(new Error(next), { code: next ?? 'EAGAIN' });
      return into.write(next);
    },
    close() {
      this.closed = true;
    },
  };
}

test('the ring: reads whole records without dictionary lines, from the given number', async () => {
  const ring = device(['6,1,10,-;one\n SUBSYSTEM=pci\n DEVICE=+pci:0\n', '6,2,20,-;two\n', '6,3,30,-;three\n']);
  const read = collect(createKmsgSource('/dev/kmsg', { fromSeq: 2, pollMs: 5, idleMs: 10, open: () => ring }));
  await waitFor('the silence', () => read.items.some(({ kind }) => kind === 'idle'));
  await read.stop();
  expect(read.lines()).toEqual(['6,2,20,-;two', '6,3,30,-;three']);
  expect(read.items.filter(({ kind }) => kind === 'idle')).toHaveLength(1);
  expect(ring.closed).toBe(true);
});

test('the ring: reports an overrun in order, with the number of lost records, and continues', async () => {
  const ring = device(['6,5,10,-;one\n', 'EPIPE', '6,9,20,-;two\n', 'EAGAIN', '6,10,30,-;three\n']);
  const read = collect(createKmsgSource('/dev/kmsg', { fromSeq: 0, pollMs: 1, open: () => ring }));
  await waitFor('three records', () => read.lines().length === 3);
  await read.stop();
  expect(read.items.filter(({ kind }) => kind !== 'idle')).toEqual([
    { kind: 'lines', lines: ['6,5,10,-;one'] },
    { kind: 'overrun', lost: 3 },
    { kind: 'lines', lines: ['6,9,20,-;two'] },
    { kind: 'lines', lines: ['6,10,30,-;three'] },
  ]);
});

test('the ring: an overrun while the detector did not read is reported too', async () => {
  const ring = device(['6,50,10,-;one\n']);
  const read = collect(createKmsgSource('/dev/kmsg', { fromSeq: 20, pollMs: 1, open: () => ring }));
  await waitFor('the record', () => read.lines().length === 1);
  await read.stop();
  expect(read.items[0]).toEqual({ kind: 'overrun', lost: 30 });
});

test('the ring: other errors end the source', async () => {
  const read = collect(createKmsgSource('/dev/kmsg', { fromSeq: 0, open: () => device(['ENODEV']) }));
  await expect(read.stop()).rejects.toMatchObject({ code: 'ENODEV' });
});

test('reads a file to its end, including a last line without a line feed', async () => {
  const path = join(directory, 'log');
  await writeFile(path, 'one\r\ntwo\nthree');
  const items: SourceItem[] = [];
  for await (const item of createFileSource(path)(new AbortController().signal)) items.push(item);
  expect(items).toEqual([
    { kind: 'lines', lines: ['one', 'two'] },
    { kind: 'lines', lines: ['three'] },
  ]);
});

test('follows a growing file through rotation and truncation', async () => {
  const path = join(directory, 'log');
  const read = collect(createFileSource(path, { follow: true, pollMs: 5, idleMs: 10 }));
  await waitFor('waiting for the file', () => read.items.some(({ kind }) => kind === 'idle'));
  await writeFile(path, 'one\ntw');
  await waitFor('one', () => read.lines().length === 1);
  await appendFile(path, 'o\n');
  await waitFor('two', () => read.lines().length === 2);
  await rename(path, `${path}.1`);
  await appendFile(`${path}.1`, 'three\n');
  await writeFile(path, 'four\n');
  await waitFor('three and four', () => read.lines().length === 4);
  await truncate(path);
  await waitFor('the silence after it', () => read.items.at(-1)?.kind === 'idle');
  await appendFile(path, 'x\n');
  await waitFor('x', () => read.lines().length === 5);
  await read.stop();
  expect(read.lines()).toEqual(['one', 'two', 'three', 'four', 'x']);
});

test('a stream: lines across chunks, silence reported once, a stop that does not wait for more', async () => {
  const stream = new PassThrough();
  const read = collect(createStreamSource(stream, 10));
  stream.write('one\ntw');
  await waitFor('the silence', () => read.items.at(-1)?.kind === 'idle');
  stream.write(Buffer.from('o é\n').subarray(0, 4));
  stream.write(Buffer.from('o é\n').subarray(4));
  await waitFor('two', () => read.lines().length === 2);
  await read.stop();
  expect(read.lines()).toEqual(['one', 'two é']);
  expect(stream.destroyed).toBe(true);
});
