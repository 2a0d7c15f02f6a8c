import { lstatSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';

/** Links our own command among those of the dependencies, so that scripts and `npx` find it without asking the registry. */
export function linkOwnCommand(root = ROOT) {
  const link = join(root, 'node_modules/.bin/trapline');
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync('../../bin/trapline', link);
}
