import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

// Network namespaces and mounts need root. `npm run soak -- --of cluster` runs the full installation.
test.skipIf(process.getuid?.() !== 0)(
  'the smallest installation keeps its guarantees while a dozen processes are killed',
  { timeout: 600_000 },
  async ({ signal }) => {
    const given = ['--runs', '1', '--seed', '3', '--faults', '12', '--kinds', 'kill', '--shape', 'small'];
    const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...given], {
      maxBuffer: 2 ** 24,
      signal,
    }).catch((failed: { readonly stdout: string }) => failed);
    expect(stdout).toContain('1 passed, 0 failed');
  },
);
