// Finds and installs the programs that the tests need from Debian. Plain JavaScript without dependencies, like
// install-services.mjs, which uses it.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { alone } from '../../bin/setup/lock.mjs';
import { debianPostgres, KEEP_SETTINGS, withoutCluster } from './debian-postgres.mjs';

const MINIMUM_JAVA = 17;
const MINIMUM_PYTHON = '3.10';
/** Waits for the lock of another apt-get, and retries on network errors. */
export const APT_GET = ['-o', 'DPkg::Lock::Timeout=600', '-o', 'Acquire::Retries=3'];
const PACKAGES = {
  // Version 17 in Debian 12, a later one in later releases.
  java: 'default-jre-headless',
  mvn: 'maven',
  kcat: 'kcat',
  openssl: 'openssl',
  redis: 'redis-tools',
  postgres: 'postgresql',
  python: 'python3-venv',
  chromium: 'chromium-headless-shell',
};
const WHY = {
  mvn: 'Maven, to fetch Kafka and the schema registry',
  kcat: 'the second Kafka client of the tests',
  openssl: 'makes the certificates of the TLS tests',
  redis: 'Redis, the store of shared state',
  postgres: 'PostgreSQL, whose programs the embedded engine prefers to those of the npm package',
  python: `Python ${MINIMUM_PYTHON} or newer with venv, for the Python client`,
  chromium: 'Chromium, which the tests drive the web console with',
};

/** @returns {string | undefined} the program's path, found without starting a process */
export function findProgram(name, path = process.env.PATH ?? '') {
  for (const dir of path.split(delimiter)) {
    try {
      accessSync(join(dir, name), constants.X_OK);
      return join(dir, name);
    } catch {}
  }
  return undefined;
}

/**
 * The headless shell needs 60 % of the processor time of a full browser. Debian's names come first, followed by other
 * Chromium browsers.
 */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** @returns {string | undefined} the browser that drives the web console in tests */
export function browserProgram(path) {
  return BROWSERS.map((name) => findProgram(name, path)).find((found) => found !== undefined);
}

/**
 * Returns the path of a program. Redis is installed from redis-tools, because the package redis-server starts a system
 * service; redis-tools contains the same program as redis-check-rdb.
 */
export function pathOf(name, path) {
  if (name === 'chromium') return browserProgram(path);
  if (name === 'postgres') return debianPostgres();
  if (name === 'redis') return findProgram('redis-server', path) ?? findProgram('redis-check-rdb', path);
  return findProgram(name === 'python' ? 'python3' : name, path);
}

/** Returns the major version of `java` on the path; 0 without Java. */
function javaMajor() {
  if (findProgram('java') === undefined) return 0;
  const { stderr = '' } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const found = /version "(?:1\.)?(\d+)/.exec(stderr);
  return found ? Number(found[1]) : 0;
}

/** Returns true if Python can create environments. Debian has the module for it, `ensurepip`, in a separate package. */
function pythonMakesEnvironments() {
  const test = `import ensurepip, sys; sys.exit(sys.version_info < (${MINIMUM_PYTHON.replace('.', ', ')}))`;
  return spawnSync('python3', ['-c', test], { stdio: 'ignore' }).status === 0;
}

/**
 * Returns the programs that a run needs, depending on the source of its services. Every run needs the second Kafka
 * client, openssl, PostgreSQL, Python and a browser.
 */
export function neededPrograms({ local, redis }) {
  return [
    ...(local ? ['java', 'mvn'] : []),
    'kcat',
    'openssl',
    ...(redis ? ['redis'] : []),
    'postgres',
    'python',
    'chromium',
  ];
}

function missingPrograms(needed) {
  const missing = [];
  if (needed.includes('java')) missing.push(...missingJava());
  for (const name of needed) {
    const found = name === 'java' || (name === 'python' ? pythonMakesEnvironments() : pathOf(name) !== undefined);
    if (!found) missing.push({ name, why: WHY[name] });
  }
  return missing;
}

function missingJava() {
  const missing = [];
  const major = javaMajor();
  if (major < MINIMUM_JAVA)
    missing.push({
      name: 'java',
      why: major === 0 ? `Java ${MINIMUM_JAVA} or newer` : `Java ${MINIMUM_JAVA} or newer (found ${major})`,
    });
  return missing;
}

/** Runs a program to its end. Includes its output in the error if it fails. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output = (output + chunk).slice(-8000)));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(output)
        : reject(new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output.trim()}`)),
    );
  });
}

/**
 * Installs missing programs. Only one process for each `cache` installs at a time. A full browser is accepted if the
 * headless one cannot be installed.
 * @throws {MissingPrograms} with a message for the user
 */
export async function ensurePrograms(needed, log, cache) {
  const missing = missingPrograms(needed);
  const canInstall = process.getuid?.() === 0 && findProgram('apt-get') !== undefined;
  if (missing.length > 0 && canInstall)
    await alone(async () => {
      const now = missingPrograms(needed); // another setup may have installed them while this one waited
      if (now.length > 0) await aptInstall(now, log);
    }, cache);
  const still = canInstall ? missingPrograms(needed) : missing;
  if (still.length > 0) throw new MissingPrograms(adviceOn(still));
  if (canInstall && needed.includes('chromium') && findProgram(PACKAGES.chromium) === undefined)
    await aptInstall([{ name: 'chromium' }], log).catch(() => log(`without success: ${browserProgram()} does as well`));
}

async function aptInstall(missing, log) {
  const packages = packagesOf(missing);
  log(`installing ${packages.join(', ')} with apt-get`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  if (packages.includes(PACKAGES.postgres)) withoutCluster();
  const install = [...APT_GET, ...KEEP_SETTINGS, 'install', '-y', '--no-install-recommends', ...packages];
  await run('apt-get', install, { env }).catch(async () => {
    // New images have no package lists or old ones.
    await run('apt-get', [...APT_GET, 'update'], { env });
    await run('apt-get', install, { env });
  });
}

function adviceOn(missing) {
  const list = missing.map(({ name, why }) => `  ${name}: ${why}`).join('\n');
  return (
    `The tests start real services and these programs are missing:\n${list}\n` +
    `On Debian or Ubuntu: sudo apt-get install ${packagesOf(missing).join(' ')}\n` +
    'Or let the tests use services that run already: TEST_KAFKA_BROKERS, TEST_SCHEMA_REGISTRY_URL, TEST_REDIS_URL, or a Docker engine.'
  );
}

function packagesOf(missing) {
  return missing.map(({ name }) => PACKAGES[name]);
}

/**
 * Programs are missing that this installer cannot or must not install. The message says which programs and how to
 * install them.
 */
export class MissingPrograms extends Error {
  name = 'MissingPrograms';
}
