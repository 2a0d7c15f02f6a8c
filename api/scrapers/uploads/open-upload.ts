import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A file that is open for reading. Its receiver closes it. */
export interface OpenUpload {
  readonly handle: FileHandle;
  /** Bytes when it was opened; bytes that are appended later are not part of it. */
  readonly size: number;
}

/** Letters, digits, underscore or hyphen, a dot, 1 to 8 letters or digits: no path, no hidden file, no second extension. */
export const UPLOAD_NAME = /^[A-Za-z\d_-]{1,200}\.[A-Za-z\d]{1,8}$/;

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
// Opening a named pipe would wait for a writer.
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** It does not exist; is a link; is not a folder; is a socket; may not be read; has a name that the file system does not take. */
const NOTHING_THERE = new Set(['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO', 'EACCES', 'ENAMETOOLONG', 'EISDIR', 'EMLINK']);

/**
 * Opens a file of a folder without following a link: neither the folder nor the file may be one, and a file that has a second name somewhere
 * (a hard link) is not served either. The file is opened through the folder that was checked, so nothing can be put in its place between check
 * and use. Undefined when there is no such regular file. `name` has passed `UPLOAD_NAME`.
 */
export async function openUpload(folder: string, name: string): Promise<OpenUpload | undefined> {
  if (!UPLOAD_NAME.test(name)) throw new TypeError('not the name of an upload');
  const parent = await openUnlessNothing(folder, FOLDER_FLAGS);
  if (parent === undefined) return undefined;
  try {
    const handle = await openUnlessNothing(`/proc/self/fd/${parent.fd}/${name}`, FILE_FLAGS);
    if (handle === undefined) return undefined;
    const stats = await handle.stat();
    if (stats.isFile() && stats.nlink === 1) return { handle, size: stats.size };
    await handle.close();
    return undefined;
  } finally {
    await parent.close();
  }
}

async function openUnlessNothing(path: string, flags: number): Promise<FileHandle | undefined> {
  try {
    return await open(path, flags);
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOTHING_THERE.has(String(error.code))) return undefined;
    throw error;
  }
}
