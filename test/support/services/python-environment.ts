import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { servicesCache } from '../install-services.mjs';
import { makeOnce } from '../make-once.mjs';

const run = promisify(execFile);

/**
 * Creates a Python environment with these packages in the cache at the first call. It is either complete or absent.
 * Programs of packages must be run as `python -m …`, because their scripts contain the path of the temporary folder.
 * Resolves to the interpreter. Rejects if Python 3.10 or newer with venv is missing, or PyPI is unreachable.
 * `TEST_PYTHON` names an interpreter other than `python3`.
 */
export async function pythonEnvironment(requirements: readonly string[]): Promise<string> {
  const python = process.env.TEST_PYTHON ?? 'python3';
  const named = python === 'python3' ? requirements : [...requirements, python];
  const digest = createHash('sha256').update(named.join('\n')).digest('hex').slice(0, 12);
  const environment = path.join(servicesCache(), `python-${digest}`);
  await makeOnce(environment, async (folder) => {
    await run(python, ['-m', 'venv', folder]);
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--retries=5', ...requirements];
    await run(path.join(folder, 'bin', 'python'), install);
  });
  return path.join(environment, 'bin', 'python');
}
