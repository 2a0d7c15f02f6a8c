import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CONTENT_HASH, type FileStore } from './port.ts';
import { stageFile } from './stage-file.ts';

/**
 * Stores contents in a directory, as `ab/cdef…`. Incomplete files are in `staged`. Those of a killed process are never
 * read.
 */
export function createFolderStore({ folder }: { readonly folder: string }): FileStore {
  const staged = join(folder, 'staged');
  const pathOf = (hash: string) => {
    // Hashes come from the database. No other string may become part of a path.
    if (!CONTENT_HASH.test(hash)) throw new TypeError('not a SHA-256');
    return join(folder, hash.slice(0, 2), hash.slice(2));
  };
  return {
    stage: (source, { maxBytes }) =>
      stageFile(source, { folder: staged, maxBytes }, async (path, { hash }) => {
        const target = pathOf(hash);
        await mkdir(dirname(target), { recursive: true });
        await rename(path, target);
        await syncFolder(dirname(target));
      }),
    async read(hash) {
      const handle = await open(pathOf(hash), 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      return handle === undefined ? undefined : createReadStream('', { fd: handle });
    },
    async delete(hashes) {
      for (const hash of hashes) await rm(pathOf(hash), { force: true });
    },
    async close() {},
  };
}

/** Flushes a directory to disk. Without it, a renamed file may be lost in a power failure. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
