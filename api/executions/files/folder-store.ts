import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CONTENT_HASH, type FileStore } from './port.ts';
import { stageFile } from './stage-file.ts';

/** Contents in a folder, as `ab/cdef…`. Incomplete files are in `staged`; those of a killed process are never read. */
export function createFolderStore({ folder }: { readonly folder: string }): FileStore {
  const staged = join(folder, 'staged');
  const pathOf = (hash: string) => {
    // A hash comes from the database. Anything else must not become a path.
    if (!CONTENT_HASH.test(hash)) throw new TypeError('this is no SHA-256');
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

/** A renamed file survives a power cut only when its folder was written to disk too. */
async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
