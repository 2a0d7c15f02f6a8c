import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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
  /** Name under which the description was passed. */
  readonly description: string;
  readonly rule: string;
  readonly message: string;
}

/**
 * Lints the named descriptions with redocly and spectral. Resolves to the errors, without warnings. Starts each linter
 * once, because a start takes as long as the linting. The linters are installed in the cache: they bring 243 packages
 * (83 MB) that only this check needs. Their lock file pins all of them.
 */
export async function lintErrors(descriptions: Readonly<Record<string, string>>): Promise<readonly LintProblem[]> {
  const modules = path.join(await installed(), 'node_modules');
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-lint-'));
  const files = Object.keys(descriptions).map((name) => path.join(folder, `${name}.json`));
  const lint = async (program: string, args: readonly string[]) => {
    const command = [path.join(modules, program), 'lint', ...files, ...args];
    const options = { env: { ...process.env, ...QUIET }, maxBuffer: MAX_OUTPUT_BYTES };
    // Linters exit with 1 if they find an error.
    const { stdout } = await run(process.execPath, command, options).catch((error: { stdout?: string }) => {
      if (error.stdout === undefined) throw error;
      return { stdout: error.stdout };
    });
    // Redocly writes one object per description without a separator; spectral writes one list for all.
    const values = stdout.slice(stdout.search(/[{[]/)).split(/(?<=^\})(?=\{)/m);
    return values.map((text) => JSON.parse(text) as unknown);
  };
  try {
    await Promise.all(
      Object.entries(descriptions).map(([name, text]) => writeFile(path.join(folder, `${name}.json`), text)),
    );
    const ruleset = path.join(SOURCE, 'spectral.yaml');
    const [redocly, spectral] = (await Promise.all([
      lint('@redocly/cli/bin/cli.js', ['--format', 'json', '--max-problems', '1000']),
      lint('@stoplight/spectral-cli/dist/index.js', ['--ruleset', ruleset, '--format', 'json', '--quiet']),
    ])) as [RedoclyReport[], SpectralReport[]];
    return [...redocly.flatMap(errorsOfRedocly), ...spectral.flatMap(errorsOfSpectral)];
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface RedoclyReport {
  readonly problems: readonly {
    readonly severity: string;
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly source: { readonly ref: string } }[];
  }[];
}

type SpectralReport = readonly {
  readonly severity: number;
  readonly code: string;
  readonly message: string;
  readonly source: string;
}[];

function errorsOfRedocly({ problems }: RedoclyReport): LintProblem[] {
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, location }) => ({
      linter: 'redocly',
      description: path.basename(location[0]?.source.ref ?? '', '.json'),
      rule: ruleId,
      message,
    }));
}

function errorsOfSpectral(problems: SpectralReport): LintProblem[] {
  return problems
    .filter(({ severity }) => severity === 0)
    .map(({ code, message, source }) => ({
      linter: 'spectral',
      description: path.basename(source, '.json'),
      rule: code,
      message,
    }));
}

/** Resolves to the folder of the linters. Installs them from npm the first time. */
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
