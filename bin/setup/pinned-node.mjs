import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './dependencies.mjs';
import { log, SetupError } from './log.mjs';
import { PINNED_NODE, ROOT } from './paths.mjs';

/**
 * Ensures that the pinned Node is installed. The npm package `node` downloads its binary in an install script. If
 * scripts are disabled (`ignore-scripts`, or an npm that asks for approval), the installation succeeds without the
 * binary. Therefore the binary itself is run and its version compared.
 */
export async function ensurePinnedNode(root = ROOT) {
  const wanted = `v${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies.node}`;
  if (versionOf(PINNED_NODE) === wanted) return;
  log(`the pinned Node ${wanted} is not in place: running its install script …`);
  await npm(['rebuild', 'node', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error'], root);
  const found = versionOf(PINNED_NODE);
  if (found === wanted) return;
  throw new SetupError(
    `the pinned Node ${wanted} does not run (${found ?? 'no answer'} from node_modules/node/bin/node).\n` +
      '  Its install script fetches it from the npm registry. Look whether scripts are forbidden\n' +
      '  (`npm config get ignore-scripts`), then remove node_modules and start again.',
  );
}

function versionOf(binary) {
  const { stdout, status } = spawnSync(binary, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return status === 0 ? stdout.trim() : undefined;
}
