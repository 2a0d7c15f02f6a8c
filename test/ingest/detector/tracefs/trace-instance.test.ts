import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTraceInstance } from '#ingest/detector/tracefs/trace-instance.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trapline-trace-'));
});
afterEach(() => rm(root, { recursive: true }));

async function instance(name: string): Promise<void> {
  await mkdir(join(root, 'sys/kernel/tracing/instances', name), { recursive: true });
}
const stat = (started: number): string => `12 (a) b) S 1 ${'0 '.repeat(17)}${started} 0 0\n`;

test('without tracefs the error names the mount command', () => {
  expect(() => openTraceInstance(root)).toThrow(
    /cannot open .*sys\/kernel\/tracing\/instances \(ENOENT\): mount it with `mount -t tracefs nodev \/sys\/kernel\/tracing`/,
  );
});

test('a kernel without the event leaves no instance behind', async () => {
  await mkdir(join(root, 'sys/kernel/tracing/instances'), { recursive: true });
  expect(() => openTraceInstance(root)).toThrow(/cannot enable the trace event signal:signal_deliver/);
  expect(await readdir(join(root, 'sys/kernel/tracing/instances'))).toEqual([]);
});

test('instances of detectors that were killed are removed; those that run, and of other tracers, are not', async () => {
  for (const name of ['trapline-12-500', 'trapline-12-400', 'trapline-13-1', 'other']) await instance(name);
  await mkdir(join(root, 'proc/12'), { recursive: true });
  await writeFile(join(root, 'proc/12/stat'), stat(500));
  expect(() => openTraceInstance(root)).toThrow();
  expect((await readdir(join(root, 'sys/kernel/tracing/instances'))).sort()).toEqual(['other', 'trapline-12-500']);
});
