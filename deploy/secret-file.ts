import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Returns the secret in a file of mode 0600. Creates it at the first call. If two processes call it concurrently, both
 * get the same secret. Removes access of other users to the file.
 */
export async function ensureSecretFile(file: string, make: () => string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    // Linked into place when complete: no process reads a partial secret, and an existing one is never replaced.
    await writeFile(fresh, `${make()}\n`, { mode: 0o600 });
    await link(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
  } finally {
    await rm(fresh, { force: true });
  }
  return (await readFile(file, 'utf8')).trim();
}
