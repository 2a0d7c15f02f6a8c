import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { copyFolder, damagedFiles, makeBackupFolder, openBackup } from '#deploy/backup/backup-folder.ts';
import { stateFiles } from '#deploy/backup/state-files.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trapline-backup-folder-'));
  await mkdir(join(folder, 'from', 'below'), { recursive: true });
  await writeFile(join(folder, 'from', 'one'), 'first');
  await writeFile(join(folder, 'from', 'below', 'two'), 'second');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const copy = () => copyFolder(join(folder, 'from'), join(folder, 'backup', 'part'), { base: join(folder, 'backup') });
const damaged = (files: Awaited<ReturnType<typeof copy>>) => damagedFiles(join(folder, 'backup'), files, () => {});

describe('the folder of a backup', () => {
  it('has checksums that detect changed and missing copies', async () => {
    const files = await copy();
    expect(files.map(({ path, bytes }) => [path, bytes])).toEqual([
      ['part/below/two', 6],
      ['part/one', 5],
    ]);
    expect(await damaged(files)).toEqual([]);
    await writeFile(join(folder, 'backup', 'part', 'one'), 'First');
    await rm(join(folder, 'backup', 'part', 'below', 'two'));
    expect(await damaged(files)).toEqual(['part/below/two is missing', 'part/one was changed']);
  });

  it('does not follow links, which another account may have created', async () => {
    await symlink('/etc/passwd', join(folder, 'from', 'link'));
    await expect(copy()).rejects.toThrow('neither file nor folder');
  });

  it('is not a backup until the marker is written', async () => {
    await copy();
    await writeFile(join(folder, 'backup', 'manifest.json'), '{}');
    await expect(openBackup(join(folder, 'backup'))).rejects.toThrow('this backup is not complete');
  });

  it('must be empty', async () => {
    await expect(makeBackupFolder(join(folder, 'from'))).rejects.toThrow('is not empty');
    expect(await readFile(join(folder, 'from', 'one'), 'utf8')).toBe('first');
  });
});

it('contains only state of the data directory: no secrets, locks, engines or incomplete files', async () => {
  const dataDir = join(folder, 'data');
  for (const name of [
    'instance',
    'started',
    'lock',
    'server.json',
    'operator.key',
    'auth.secret',
    'jwt.secret',
    'clickhouse/version',
    'postgres/password',
    'detector-spool/1',
    'files/ab/cd',
    'files/staged/ef',
    'tmp/upload',
  ]) {
    await mkdir(join(dataDir, name, '..'), { recursive: true });
    await writeFile(join(dataDir, name), '');
  }
  expect(await stateFiles(dataDir)).toEqual(['instance', 'started', 'files/ab/cd', 'tmp/upload']);
});
