import { spawn } from 'node:child_process';
import { COMPILED, PINNED_NODE, ROOT } from './paths.mjs';

/**
 * Same flags as in bin/trapline, because the compile cache depends on them. `npm start` and test processes use none.
 */
const NO_FLAGS = [];
const FOLLOWER_FLAGS = ['--max-semi-space-size=1', '--optimize-for-size'];
const API_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=40'];
const INGEST_FLAGS = ['--max-semi-space-size=32', '--no-allocation-site-pretenuring'];

/**
 * Fills the compile cache. Runs the detector on empty input, and lets `api` and `ingest` fail at start without their
 * stores. Long-running processes then never load the TypeScript compiler, which takes 20 MiB that are never released.
 * Failures are ignored, because nothing depends on it.
 */
export async function warmUp() {
  await Promise.all([
    run(FOLLOWER_FLAGS, ['detect', '--from', '/dev/null']),
    run(API_FLAGS, ['api']),
    run(INGEST_FLAGS, ['ingest']),
    run(NO_FLAGS, ['api']),
    run(NO_FLAGS, ['ingest']),
  ]);
}

function run(flags, args) {
  const child = spawn(PINNED_NODE, [...flags, 'deploy/cli/main.ts', ...args], {
    cwd: ROOT,
    env: { NODE_COMPILE_CACHE: COMPILED },
    stdio: 'ignore',
    timeout: 20_000,
  });
  return new Promise((resolve) => {
    child.once('error', resolve);
    child.once('exit', resolve);
  });
}
