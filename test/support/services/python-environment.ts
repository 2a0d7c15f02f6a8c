import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { servicesCache } from '../install-services.mjs';

const run = promisify(execFile);

/**
 * A Python environment with these packages, in the cache; made the first time it is asked for, whole or not at all. Programs of packages are run as
 * `python -m …`: their own scripts name the folder they were installed in first. Resolves to its interpreter. Rejects when there
 * is no Python 3.10 or newer with venv, or PyPI can't be reached.
 */
export async function pythonEnvironment(requirements: readonly string[]): Promise<string> {
  const digest = createHash('sha256').update(requirements.join('\n')).digest('hex').slice(0, 12);
  const cache = servicesCache();
  const environment = path.join(cache, `python-${digest}`);
  const python = path.join(environment, 'bin', 'python');
  if (existsSync(python)) return python;
  await mkdir(cache, { recursive: true });
  const made = await mkdtemp(`${environment}.part-`);
  try {
    await run('python3', ['-m', 'venv', made]);
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements];
    await run(path.join(made, 'bin', 'python'), install);
    // Another run may have been faster: its environment is as good.
    await rename(made, environment).catch((error: NodeJS.ErrnoException) => {
      if (!existsSync(python)) throw error;
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
  return python;
}
