import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keyText, newSecret, OPERATOR_KEY_ID } from '#api/accounts/keys/key-format.ts';
import { dataDirectoryProblem } from './data-directory.ts';
import { ensureSecretFile } from './secret-file.ts';

const KEY_FILE = 'operator.key';
/** `<keyId>.<secret>` like every key of the product. Older keys have no prefix and no checksum, and remain valid. */
const KEY = /^(?:tl_operator\.[0-9A-Za-z]{49}|operator\.[\w-]{43})$/;

/** The file of the operator key does not contain a valid key. */
export class OperatorKeyError extends Error {
  override readonly name = 'OperatorKeyError';
}

/**
 * Returns the operator key, for every account that can read the data directory. Creates it at the first start, with
 * mode 0600.
 */
export async function ensureOperatorKey(dataDir: string): Promise<string> {
  const file = join(dataDir, KEY_FILE);
  return checked(file, await ensureSecretFile(file, newOperatorKey));
}

/**
 * Returns the operator key of a server. If the data directory is not writable, returns the existing key in it, or
 * undefined.
 */
export async function serverOperatorKey(dataDir: string): Promise<string | undefined> {
  const problem = await dataDirectoryProblem(dataDir);
  return problem === undefined ? ensureOperatorKey(dataDir) : readOperatorKey(dataDir);
}

/** Returns the operator key of a data directory; undefined if no server was started there yet. */
export async function readOperatorKey(dataDir: string): Promise<string | undefined> {
  try {
    return await readKey(join(dataDir, KEY_FILE));
  } catch (error) {
    // ENOTDIR: the data directory is a file.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function newOperatorKey(): string {
  return keyText({ keyId: OPERATOR_KEY_ID, secret: newSecret(OPERATOR_KEY_ID) });
}

async function readKey(file: string): Promise<string> {
  return checked(file, (await readFile(file, 'utf8')).trim());
}

function checked(file: string, key: string): string {
  if (!KEY.test(key))
    throw new OperatorKeyError(
      `${file} does not contain an operator key: remove it, and the next start creates a new one`,
    );
  return key;
}
