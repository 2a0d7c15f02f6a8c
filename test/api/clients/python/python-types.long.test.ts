import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { pythonEnvironment } from '#test/support/services/python-environment.ts';
import { REQUIREMENTS } from './requirements.ts';

const PACKAGE = fileURLToPath(new URL('../../../../api/clients/python', import.meta.url));
const PYRIGHT = fileURLToPath(new URL('../../../../node_modules/pyright/index.js', import.meta.url));

test('the Python client is typed without a gap', { timeout: 300_000 }, async () => {
  const python = await pythonEnvironment(REQUIREMENTS);
  // Rejects with the output of the type checker unless its exit code is 0.
  await promisify(execFile)(process.execPath, [PYRIGHT, '--pythonpath', python], { cwd: PACKAGE });
});

test('mypy reports nothing in strict mode, for the oldest and the newest Python', { timeout: 300_000 }, async () => {
  const python = await pythonEnvironment(REQUIREMENTS);
  for (const version of ['3.10', '3.14'])
    await promisify(execFile)(
      python,
      ['-m', 'mypy', '--strict', '--python-version', version, '--cache-dir', '/dev/null', 'src'],
      {
        cwd: PACKAGE,
      },
    );
});
