import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimDataDirectory, DataDirectoryInUse } from '#deploy/processes/instance.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'trapline-instance-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('the data directory', () => {
  it('belongs to one live process', async () => {
    const first = await claimDataDirectory(dir);
    await expect(claimDataDirectory(dir)).rejects.toThrow(DataDirectoryInUse);
    await first.release();
    const second = await claimDataDirectory(dir);
    expect(second.id).toBe(first.id);
    await second.release();
  });

  it('is taken over from a process that is gone, even when its id lives on in another process', async () => {
    await writeFile(path.join(dir, 'lock'), `${process.pid} 1\n`);
    const instance = await claimDataDirectory(dir);
    expect(await readFile(path.join(dir, 'lock'), 'utf8')).not.toContain(' 1\n');
    await instance.release();
  });

  it('is closed to other users', async () => {
    const inner = path.join(dir, 'data');
    await (await claimDataDirectory(inner)).release();
    expect((await stat(inner)).mode & 0o777).toBe(0o700);
  });
});
