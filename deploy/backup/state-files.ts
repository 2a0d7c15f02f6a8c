import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { filesBelow } from './backup-folder.ts';

/** Files of the data directory that are state. The others are locks, secrets, or made again at each start. */
const FILES = ['instance', 'started'];
/** Contents of executions, and uploaded files. */
const FOLDERS = ['files', 'tmp'];
/** Contents that are not complete. */
const STAGED = 'staged/';

/** Names of the files of the data directory that belong to a backup, relative to it. */
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
