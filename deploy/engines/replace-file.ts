import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';

/** Replaces a file by renaming a new one: owner and mode of the old one are not kept, and no reader sees half of it. */
export async function replaceFile(file: string, text: string, mode = 0o600): Promise<void> {
  const fresh = `${file}.new`;
  await rm(fresh, { force: true });
  await writeFile(fresh, text, { mode, flag: 'wx' });
  await chmod(fresh, mode); // whatever the umask is
  await rename(fresh, file);
}

/** Text of a file without surrounding white space; undefined when there is no such file. */
export async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
}
