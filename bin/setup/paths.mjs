import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the checkout. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The Node version pinned in package.json, which runs our TypeScript. */
export const PINNED_NODE = join(ROOT, 'node_modules/node/bin/node');
/** File with the fingerprint of the last completed set-up. Removed with node_modules. Also read by bin/trapline. */
export const STAMP = join(ROOT, 'node_modules/.trapline-set-up');
/** Compile cache of Node: compiled code and stripped types. Also named in bin/trapline. */
export const COMPILED = join(ROOT, 'node_modules/.cache/trapline-compiled');
