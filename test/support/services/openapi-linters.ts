import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { servicesCache } from '../install-services.mjs';
import { makeOnce } from '../make-once.mjs';

const run = promisify(execFile);
const SOURCE = path.join(import.meta.dirname, 'openapi-linters');
const FILES = ['package.json', 'package-lock.json'];
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const MAX_OUTPUT_BYTES = 64 * 2 ** 20;

export interface LintProblem {
  readonly linter: 'redocly' | 'spectral';
  readonly rule: string;
  readonly message: string;
}

/**
 * Lints a description with redocly and spectral and resolves to the errors, without warnings. The linters are kept in the cache: they bring 243 packages
 * (83 MB) that nothing else needs. Their lock file pins all of them.
 */
export async function lintErrors(file: string): Promise<readonly LintProblem[]> {
  const modules = path.join(await installed(), 'node_modules');
  const lint = async (program: string, args: readonly string[]) => {
    const command = [path.join(modules, program), 'lint', file, ...args];
    const options = { env: { ...process.env, ...QUIET }, maxBuffer: MAX_OUTPUT_BYTES };
    // Linters exit with 1 when they find an error.
    const { stdout } = await run(process.execPath, command, options).catch((error: { stdout?: string }) => {
      if (error.stdout === undefined) throw error;
      return { stdout: error.stdout };
    });
    return JSON.parse(stdout.slice(stdout.search(/[{[]/))) as unknown;
  };
  const redocly = (await lint('@redocly/cli/bin/cli.js', ['--format', 'json', '--max-problems', '1000'])) as {
    problems: { severity: string; ruleId: string; message: string }[];
  };
  const ruleset = path.join(SOURCE, 'spectral.yaml');
  const spectral = (await lint('@stoplight/spectral-cli/dist/index.js', [
    ...['--ruleset', ruleset, '--format', 'json', '--quiet'],
  ])) as { severity: number; code: string; message: string }[];
  return [
    ...redocly.problems
      .filter(({ severity }) => severity === 'error')
      .map(({ ruleId, message }) => ({ linter: 'redocly', rule: ruleId, message }) as const),
    ...spectral
      .filter(({ severity }) => severity === 0)
      .map(({ code, message }) => ({ linter: 'spectral', rule: code, message }) as const),
  ];
}

/** The folder the linters are installed in; installed from npm the first time. */
async function installed(): Promise<string> {
  const lock = await readFile(path.join(SOURCE, 'package-lock.json'));
  const digest = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const folder = path.join(servicesCache(), `openapi-linters-${digest}`);
  await makeOnce(folder, async (target) => {
    for (const name of FILES) await copyFile(path.join(SOURCE, name), path.join(target, name));
    await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: target });
  });
  return folder;
}
