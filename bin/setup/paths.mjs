import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Node of the version pinned in package.json: the one that runs our TypeScript. */
export const PINNED_NODE = join(ROOT, 'node_modules/node/bin/node');
/** Holds the fingerprint of the set-up that was completed last; gone when node_modules is. Also read by bin/trapline. */
export const STAMP = join(ROOT, 'node_modules/.trapline-set-up');
/** Compiled code and stripped types, kept between runs by Node itself. Also named in bin/trapline. */
export const COMPILED = join(ROOT, 'node_modules/.cache/trapline-compiled');
