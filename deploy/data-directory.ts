import { access, constants, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { usageError } from './cli/command-error.ts';

/**
 * Creates the data directory if it is missing. Rejects with a usage error that names the setting if it is not writable.
 */
export async function makeDataDirectory(dataDir: string): Promise<void> {
  const problem = await dataDirectoryProblem(dataDir);
  if (problem !== undefined)
    throw usageError(`${problem}: set TRAPLINE_DATA_DIR to a folder that this user may write to`);
}

/**
 * Creates the data directory. Returns why it cannot be used, such as a read-only file system; undefined if it is
 * writable.
 */
export async function dataDirectoryProblem(dataDir: string): Promise<string | undefined> {
  const folder = path.resolve(dataDir);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // On a read-only file system, mkdir reports ENOENT. The nearest existing folder gives the actual reason.
    const reason = code === 'ENOENT' ? await refusalOf(await nearestExisting(path.dirname(folder))) : code;
    return `the data directory ${folder} cannot be made (${reason ?? code})`;
  }
  const code = await refusalOf(folder);
  return code === undefined ? undefined : `the data directory ${folder} cannot be written to (${code})`;
}

/** Returns the error code of writing into a folder; undefined if it succeeds. */
async function refusalOf(folder: string): Promise<string | undefined> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code,
  );
}

async function nearestExisting(folder: string): Promise<string> {
  return access(folder).then(
    () => folder,
    () => nearestExisting(path.dirname(folder)),
  );
}
