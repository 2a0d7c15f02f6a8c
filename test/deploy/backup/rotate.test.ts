import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { backupName, deleteOutdated, outdatedBackups } from '#deploy/backup/rotate.ts';

const nameOf = (day: number) => backupName(new Date(Date.UTC(2026, 10, day, 2, 30, 5, 900)));

test('the newest backups stay, in whatever order they are listed', () => {
  expect(nameOf(3)).toBe('trapline-2026-11-03T02-30-05Z');
  const names = [nameOf(12), nameOf(3), 'notes', nameOf(9)];
  expect(outdatedBackups(names, 1)).toEqual([nameOf(3), nameOf(9)]);
  expect(outdatedBackups(names, 2)).toEqual([nameOf(3)]);
  expect(outdatedBackups(names, 3)).toEqual([]);
  expect(outdatedBackups([], 1)).toEqual([]);
});

test('only complete backups are counted and deleted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trapline-rotate-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const day of [1, 2, 3, 4]) {
    await mkdir(join(folder, nameOf(day), 'postgres'), { recursive: true });
    if (day !== 4) await writeFile(join(folder, nameOf(day), 'complete'), '');
  }
  await mkdir(join(folder, 'backup-monday'));
  await writeFile(join(folder, 'backup-monday', 'complete'), '');
  expect(await deleteOutdated(folder, 2)).toEqual([nameOf(1)]);
  // The interrupted backup of the fourth day does not push out a complete one.
  expect((await readdir(folder)).toSorted()).toEqual(['backup-monday', nameOf(2), nameOf(3), nameOf(4)]);
});
