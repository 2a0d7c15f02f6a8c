import { access, constants, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { usageError } from './cli/command-error.ts';

/** Makes the data directory, or makes sure that it can be written to. Rejects with a usage error that names the setting. */
export async function makeDataDirectory(dataDir: string): Promise<void> {
  const problem = await dataDirectoryProblem(dataDir);
  if (problem !== undefined)
    throw usageError(`${problem}: set TRAPLINE_DATA_DIR to a folder that this user may write to`);
}

/** Makes the data directory. Returns why it cannot be used, such as a file system that is read-only; undefined when it can be written to. */
export async function dataDirectoryProblem(dataDir: string): Promise<string | undefined> {
  const folder = path.resolve(dataDir);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // On a file system that is read-only mkdir reports ENOENT; the nearest folder that exists knows why.
    const reason = code === 'ENOENT' ? await refusalOf(await nearestExisting(path.dirname(folder))) : code;
    return `the data directory ${folder} cannot be made (${reason ?? code})`;
  }
  const code = await refusalOf(folder);
  return code === undefined ? undefined : `the data directory ${folder} cannot be written to (${code})`;
}

/** Returns the code of the error that writing into a folder meets; undefined when it succeeds. */
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
