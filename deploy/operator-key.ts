import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const KEY_FILE = 'operator.key';
/** Has the shape of every key of the product, `<keyId>.<secret>`: 256 random bits as 43 characters. */
const KEY = /^operator\.[\w-]{43}$/;

/** The file of the operator key holds something else than a key. */
export class OperatorKeyError extends Error {
  override readonly name = 'OperatorKeyError';
}

/**
 * The key of whoever may read the data directory: made at the first start, mode 0600, kept from then on. Of two processes
 * that start at once both get the same one. A file that others may read is closed to them.
 */
export async function ensureOperatorKey(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = join(dataDir, KEY_FILE);
  const fresh = `${file}.${randomBytes(6).toString('hex')}.new`;
  try {
    // Linked into place when it is complete: nobody ever reads half a key, and an existing one is never replaced.
    await writeFile(fresh, `operator.${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
    await link(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    if (((await stat(file)).mode & 0o077) !== 0) await chmod(file, 0o600);
  } finally {
    await rm(fresh, { force: true });
  }
  return readKey(file);
}

/** The operator key of a data directory; undefined when no server was started there yet. */
export async function readOperatorKey(dataDir: string): Promise<string | undefined> {
  try {
    return await readKey(join(dataDir, KEY_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function readKey(file: string): Promise<string> {
  const key = (await readFile(file, 'utf8')).trim();
  if (!KEY.test(key))
    throw new OperatorKeyError(`${file} does not hold an operator key: remove it, the next start makes a new one`);
  return key;
}
