import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow } from './backup-folder.ts';

/** State files of the data directory. All others are locks, secrets, or created at each start. */
const FILES = ['instance', 'started'];
/** Contents of executions, and uploaded files. */
const FOLDERS = ['files', 'tmp'];
/** Incomplete contents. */
const STAGED = 'staged/';

/** Returns the names of the files to back up, relative to the data directory. */
export async function stateFiles(dataDir: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of FILES) {
    const found = await lstat(join(dataDir, name)).catch(() => undefined);
    if (found?.isFile()) names.push(name);
  }
  for (const folder of FOLDERS) {
    const found = await filesBelow(join(dataDir, folder));
    names.push(...found.filter((name) => !name.startsWith(STAGED)).map((name) => join(folder, name)));
  }
  return names;
}
