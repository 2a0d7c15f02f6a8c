import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeClassArchive } from './class-archive.mjs';
import { temporaryFolder } from './temporary-folder.ts';

test('keeps no archive of a service that ends before it serves', async () => {
  await temporaryFolder('class-archive', async (folder) => {
    const made = makeClassArchive(join(folder, 'classes.jsa'), async () => ({
      args: ['NoSuchClass'],
      serves: async () => false,
      use: async () => {},
    }));
    await expect(made).rejects.toThrow('the service ended before it served');
    expect(await readdir(folder)).toEqual([]);
  });
});
