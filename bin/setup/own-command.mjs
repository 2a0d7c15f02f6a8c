import { lstatSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';

/** Links our command into node_modules/.bin, so that scripts and `npx` find it without a request to the registry. */
export function linkOwnCommand(root = ROOT) {
  const link = join(root, 'node_modules/.bin/trapline');
  if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync('../../bin/trapline', link);
}
