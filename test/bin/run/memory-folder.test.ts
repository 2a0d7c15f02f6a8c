import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeMemoryFolder } from '../../../bin/run/memory-folder.mjs';

const plain = await mkdtemp(path.join(tmpdir(), 'trapline-memory-'));
afterAll(() => rm(plain, { recursive: true }));

test('does not use a folder outside a memory file system', () => {
  expect(makeMemoryFolder(plain)).toBeUndefined();
  expect(makeMemoryFolder(path.join(plain, 'missing'))).toBeUndefined();
});

test('does not create a folder if memory is short', () => {
  expect(makeMemoryFolder('/dev/shm', { bytes: 0, memoryBytes: 2 ** 60 })).toBeUndefined();
  expect(makeMemoryFolder('/dev/shm', { bytes: 2 ** 60, memoryBytes: 0 })).toBeUndefined();
});

test('creates the folder of this run, removes that of a killed run, and keeps that of a running one', async () => {
  const killed = '/dev/shm/trapline-4194304'; // greater than the maximum process id
  await mkdir(path.join(killed, 'of-it'), { recursive: true });
  const other = '/dev/shm/trapline-1';
  const made = await mkdir(other).then(
    () => true,
    () => false,
  );
  try {
    const folder = makeMemoryFolder('/dev/shm', { bytes: 0, memoryBytes: 0 });
    expect(existsSync(folder?.path ?? '')).toBe(true);
    expect(existsSync(killed)).toBe(false);
    expect(existsSync(other)).toBe(true);
    folder?.remove();
    expect(existsSync(folder?.path ?? '')).toBe(false);
  } finally {
    await rm(killed, { recursive: true, force: true });
    if (made) await rm(other, { recursive: true });
  }
});
