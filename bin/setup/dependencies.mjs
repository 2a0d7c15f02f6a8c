import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withInstallProgress } from './install-progress.mjs';
import { log, SetupError } from './log.mjs';
import { ROOT } from './paths.mjs';

/** Installs the packages of the lock file, unless they are installed already. Resolves to true if it installed them. */
export async function installDependencies(root = ROOT) {
  if (isInstalled(root)) return false;
  log('installing dependencies (npm ci, about 150 MB of downloads the first time) …');
  const started = Date.now();
  const code = await withInstallProgress(process.stderr, { root, packages: packagesHere(root) }, () =>
    // The spinner of npm would overwrite the progress line.
    npm(['ci', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error', '--fetch-retries=4'], root),
  );
  if (code !== 0) {
    throw new SetupError(
      `npm ci failed with exit code ${code} (its own words are above).\n` +
        '  Usual causes: no way to the npm registry (set HTTPS_PROXY or `npm config set registry …`), a full disk,\n' +
        '  or a node_modules folder of another user (remove it).',
    );
  }
  log(`dependencies installed in ${Math.round((Date.now() - started) / 1000)} s`);
  return true;
}

/**
 * Compares the lock file with node_modules/.package-lock.json, in which npm lists the installed packages. Reinstalling
 * after any change of the lock file would repeat a manual `npm install`.
 */
export function isInstalled(root = ROOT) {
  const wanted = packages(join(root, 'package-lock.json'));
  const found = packages(join(root, 'node_modules/.package-lock.json'));
  if (wanted === undefined || found === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const installed = found[path];
    // Builds for other platforms are optional and not installed.
    if (installed === undefined) return entry.optional === true || entry.devOptional === true;
    return installed.version === entry.version && installed.integrity === entry.integrity;
  });
}

/** Returns the folders of the packages that npm installs on this platform. */
function packagesHere(root) {
  const wanted = packages(join(root, 'package-lock.json')) ?? {};
  return Object.entries(wanted).flatMap(([path, { os, cpu, libc }]) => {
    const here =
      (os?.includes(process.platform) ?? true) &&
      (cpu?.includes(process.arch) ?? true) &&
      (libc?.includes('glibc') ?? true);
    return path === '' || !here ? [] : [path];
  });
}

function packages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Runs npm with its output on standard error. Resolves to its exit code. */
export function npm(args, cwd = ROOT) {
  // npm sets its own path in the environment. This also works if `npm` is not on the PATH of scripts.
  const self = process.env.npm_execpath;
  const [file, first] = self?.endsWith('.js') ? [process.execPath, [self]] : ['npm', []];
  return new Promise((resolve, reject) => {
    const child = spawn(file, [...first, ...args], { cwd, stdio: ['ignore', 2, 2] });
    child.once('error', () =>
      reject(
        new SetupError('npm is needed to install dependencies and was not found.\n  On Debian: apt-get install npm'),
      ),
    );
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
}
