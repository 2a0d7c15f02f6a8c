import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pythonEnvironment } from '#test/support/services/python-environment.ts';
import { ADDRESS_LIMIT, AGENT_SCRIPT, type Served, serveForClients } from '../served.ts';
import { REQUIREMENTS } from './requirements.ts';

const PACKAGE = fileURLToPath(new URL('../../../../api/clients/python', import.meta.url));

let python: string;
let scratch: string;
let served: Served;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'trapline-python-'));
  [python, served] = await Promise.all([pythonEnvironment(REQUIREMENTS), serveForClients()]);
}, 300_000);

afterAll(async () => {
  await served?.stop();
  await rm(scratch, { recursive: true, force: true });
});

/** Runs a program in the package and resolves to its exit code and output. */
function run(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return new Promise<{ code: number | string | null; output: string }>((resolve) => {
    const options = {
      cwd: PACKAGE,
      maxBuffer: 2 ** 24,
      // Writes nothing to the sources, and bypasses proxies for loopback.
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1', ...env },
    };
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? 'killed'), output: stdout + stderr }),
    );
  });
}

describe('the Python client', () => {
  test('has one source for synchronous and asynchronous use', async () => {
    const { code, output } = await run(python, ['tools/make_sync.py', '--check']);
    expect(code, `run python api/clients/python/tools/make_sync.py${output}`).toBe(0);
  });

  test('installs from its wheel, and works against a server', { timeout: 300_000 }, async () => {
    const installed = path.join(scratch, 'installed');
    const offline = ['--no-deps', '--disable-pip-version-check', '--quiet'];
    const built = await run(python, ['-m', 'pip', 'wheel', ...offline, '--no-build-isolation', '-w', scratch, '.']);
    expect(built.code, built.output).toBe(0);
    const [wheel = ''] = (await readdir(scratch)).filter((name) => name.endsWith('.whl'));
    const placed = await run(python, [
      ...['-m', 'pip', 'install', ...offline, '--target', installed],
      path.join(scratch, wheel),
    ]);
    expect(placed.code, placed.output).toBe(0);
    expect(await readdir(path.join(installed, 'trapline'))).toContain('py.typed');

    const suite = await run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--durations=8'], {
      PYTHONPATH: installed,
      TRAPLINE_TEST_URL: served.url,
      TRAPLINE_TEST_KEY: served.key,
      TRAPLINE_TEST_READER_KEY: served.readerKey,
      TRAPLINE_TEST_RUNNER_KEY: served.runnerKey,
      TRAPLINE_TEST_ADDRESS_LIMIT: String(ADDRESS_LIMIT),
      TRAPLINE_TEST_FAULTY_URL: served.proxy.url,
      TRAPLINE_TEST_AGENT_SCRIPT: AGENT_SCRIPT,
    });
    expect(suite.code, suite.output).toBe(0);
  });
});
