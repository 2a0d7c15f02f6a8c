import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';

/** Replaces a file atomically by a rename. Owner and mode of the old file are not kept. */
export async function replaceFile(file: string, text: string, mode = 0o600): Promise<void> {
  const fresh = `${file}.new`;
  await rm(fresh, { force: true });
  await writeFile(fresh, text, { mode, flag: 'wx' });
  await chmod(fresh, mode); // Independent of the umask.
  await rename(fresh, file);
}

/** Returns the text of a file without surrounding white space; undefined if the file does not exist. */
export async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
}
