import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeOnce } from './make-once.mjs';
import { temporaryFolder } from './services/temporary-folder.ts';

const write = (text: string) => (folder: string) => writeFile(join(folder, 'file'), text);

test('the first caller creates a folder once, and leaves nothing else', async () => {
  await temporaryFolder('make-once', async (home) => {
    const target = join(home, 'cache', 'made');
    await Promise.all(['first', 'second'].map((text) => makeOnce(target, write(text))));
    const made = await readFile(join(target, 'file'), 'utf8');
    expect(['first', 'second']).toContain(made);
    await makeOnce(target, write('third'));
    expect(await readFile(join(target, 'file'), 'utf8')).toBe(made);
    expect(await readdir(join(home, 'cache'))).toEqual(['made']);
  });
});

test('a failed creation leaves nothing', async () => {
  await temporaryFolder('make-once', async (home) => {
    const failing = async (folder: string) => {
      await write('half')(folder);
      throw new Error('no network');
    };
    await expect(makeOnce(join(home, 'made'), failing)).rejects.toThrow('no network');
    expect(await readdir(home)).toEqual([]);
  });
});
