import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** A file that is open for reading. The receiver must close it. */
export interface OpenUpload {
  readonly handle: FileHandle;
  /** Size when it was opened, in bytes. Bytes appended later are not included. */
  readonly size: number;
}

/**
 * Letters, digits, underscore or hyphen, a dot, 1 to 8 letters or digits. Excludes paths, hidden files and multiple
 * extensions.
 */
export const UPLOAD_NAME = /^[A-Za-z\d_-]{1,200}\.[A-Za-z\d]{1,8}$/;

const FOLDER_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
// Without O_NONBLOCK, opening a named pipe would wait for a writer.
const FILE_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/**
 * The file does not exist, is a link or a socket, is not in a folder, is not readable, or has a name that the file
 * system rejects.
 */
const NOTHING_THERE = new Set(['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO', 'EACCES', 'ENAMETOOLONG', 'EISDIR', 'EMLINK']);

/**
 * Opens a file of a folder without following links. Neither the folder nor the file may be a link, and a file with a
 * second name (a hard link) is not served. The file is opened relative to the checked folder, so nothing can be
 * exchanged between check and use. Undefined if there is no such regular file. `name` must match `UPLOAD_NAME`.
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
