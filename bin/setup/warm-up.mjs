import { spawn } from 'node:child_process';
import { COMPILED, PINNED_NODE, ROOT } from './paths.mjs';

/** As in bin/trapline: Node keeps compiled code by these flags. `npm start` and the processes of the tests have none. */
const NO_FLAGS = [];
const FOLLOWER_FLAGS = ['--max-semi-space-size=1', '--optimize-for-size'];
const API_FLAGS = ['--max-semi-space-size=16', '--heap-growing-percent=40'];
const INGEST_FLAGS = ['--max-semi-space-size=32', '--no-allocation-site-pretenuring'];

/**
 * Lets the detector read nothing once, and `api` and `ingest` refuse to start without their stores, so that their code is compiled and kept. Processes
 * that are then started for months never load the compiler of types, which takes 20 MiB and gives none of it back. Nothing depends on it: a failure is
 * no matter.
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
