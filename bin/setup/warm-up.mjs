import { spawnSync } from 'node:child_process';
import { COMPILED, PINNED_NODE, ROOT } from './paths.mjs';

/** As in bin/trapline: Node keeps compiled code by these flags. */
const FOLLOWER_FLAGS = ['--max-semi-space-size=1', '--optimize-for-size'];

/**
 * Lets the detector read nothing once, so that its code is compiled and kept. A detector that is then started for months never
 * loads the compiler of types, which takes 20 MiB and gives none of it back. Nothing depends on it: a failure is no matter.
 */
export function warmUp() {
  spawnSync(PINNED_NODE, [...FOLLOWER_FLAGS, 'deploy/cli/main.ts', 'detect', '--from', '/dev/null'], {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: COMPILED },
    stdio: 'ignore',
    timeout: 10_000,
  });
}
