import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, STAMP } from './paths.mjs';

/**
 * Returns the SHA-256 of the files that determine whether the set-up is current: the lock file and the patches of
 * dependencies, in the order of `cat package-lock.json bin/patches/*`. bin/trapline computes the same with sha256sum.
 */
export function fingerprint(root = ROOT) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const file of patchFiles(join(root, 'bin/patches'))) hash.update(readFileSync(file));
  return hash.digest('hex');
}

function patchFiles(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(folder, entry.name))
      .sort();
  } catch {
    return [];
  }
}

/** Returns the fingerprint of the last completed set-up, if any. */
export function completedFingerprint() {
  try {
    return readFileSync(STAMP, 'utf8').trim();
  } catch {
    return undefined;
  }
}
