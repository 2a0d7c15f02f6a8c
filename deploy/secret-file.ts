import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * The secret kept in a file, mode 0600; made at the first asking and kept from then on. Of two processes that ask at once both get
 * the same one. A file that others may read is closed to them.
 */
export async function ensureSecretFile(file: string, make: () => string): Promise<string> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    // Linked into place when it is complete: no process reads half a secret, and an existing one is never replaced.
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
