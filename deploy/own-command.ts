import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { shellWord } from './shell-word.ts';

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Returns the command line for this account in the current directory. `npx trapline` works only inside a checkout;
 * elsewhere, npx would look for a package of that name in the registry. npx also changes the mode of the program, which
 * only its owner and root may do. An image or a package is not a checkout: it needs no set-up, has no npx, and installs
 * the program as `trapline`.
 */
export function ownCommand({
  directory = process.cwd(),
  uid = process.getuid?.() ?? 0,
  checkout = CHECKOUT,
}: {
  readonly directory?: string;
  readonly uid?: number;
  readonly checkout?: string;
} = {}): string {
  if (!existsSync(path.join(checkout, 'bin/bootstrap.mjs'))) return 'trapline';
  const program = path.join(checkout, 'bin/trapline');
  const isWithin = !path.relative(checkout, directory).startsWith('..');
  const mayChange = uid === 0 || statSync(program, { throwIfNoEntry: false })?.uid === uid;
  return isWithin && mayChange ? 'npx trapline' : shellWord(program);
}
