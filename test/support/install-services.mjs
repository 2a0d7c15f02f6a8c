// Installs what the services of the tests need as local processes: Java, Maven, kcat, Redis, Python, Prometheus and
// PgBouncer from Debian, the Kafka broker and the Apicurio schema registry from Maven Central. Plain JavaScript without
// dependencies, so that the bootstrap can run it on the machine's Node 20. Idempotent: checks installed parts only.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from '../../bin/setup/lock.mjs';
import {
  APT_GET,
  ensurePrograms,
  findProgram,
  MissingPrograms,
  neededPrograms,
  pathOf,
  run,
} from './install-programs.mjs';
import { makeOnce } from './make-once.mjs';
import { trainKafka } from './services/train-kafka.mjs';
import { trainRegistry } from './services/train-registry.mjs';

const here = dirname(fileURLToPath(import.meta.url));
export const KAFKA_VERSION = '4.3.1';
/** The newest version that runs on Java 17. */
export const REGISTRY_VERSION = '3.0.9';
export const ZOOKEEPER_VERSION = '3.9.4';

/** Returns the folder of downloads, shared by all checkouts of a user. */
export function servicesCache(env = process.env) {
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'trapline', 'services');
}

/** Returns the folders from which the service processes are started. */
export function serviceFiles(cache = servicesCache()) {
  return {
    kafkaJars: join(cache, `kafka-${KAFKA_VERSION}`),
    /** Class archives of the broker and of the registry. Both also start without them, but slowly. */
    kafkaClasses: join(cache, `kafka-${KAFKA_VERSION}-classes.jsa`),
    registryClasses: join(cache, `apicurio-registry-${REGISTRY_VERSION}-classes.jsa`),
    registry: join(cache, `apicurio-registry-${REGISTRY_VERSION}`),
    /** ZooKeeper, which coordinates the ClickHouse cluster of the tests. */
    zooKeeperJars: join(cache, `zookeeper-${ZOOKEEPER_VERSION}`),
    /** Unpacked Debian packages. */
    prometheus: join(cache, 'prometheus'),
    pgbouncer: join(cache, 'pgbouncer'),
    fakeTime: join(cache, 'libfaketime'),
  };
}

/** @returns {string | undefined} path of `prometheus` or `promtool`: installed, or unpacked by this installer */
export function prometheusProgram(name, files = serviceFiles()) {
  return findProgram(name) ?? findProgram(name, join(files.prometheus, 'usr', 'bin'));
}

/** Returns the program of the schema registry. */
export function registryJar(files = serviceFiles()) {
  return join(files.registry, `apicurio-registry-app-${REGISTRY_VERSION}-runner.jar`);
}

/**
 * Returns true if a Docker engine answers; an installed client is no proof. With an engine, the services that a run
 * shares are containers.
 */
export async function dockerAnswers(env = process.env) {
  const host = env.DOCKER_HOST ?? '';
  const sockets = host.startsWith('unix://')
    ? [host.slice('unix://'.length)]
    : [
        '/var/run/docker.sock',
        join(env.XDG_RUNTIME_DIR ?? '/nowhere', 'docker.sock'),
        join(homedir(), '.docker', 'run', 'docker.sock'),
      ];
  const targets = host.startsWith('tcp://')
    ? [{ host: new URL(host).hostname, port: Number(new URL(host).port || 2375) }]
    : sockets.filter((path) => existsSync(path)).map((socketPath) => ({ socketPath }));
  for (const target of targets) if (await ping(target)) return true;
  return false;
}

function ping(target) {
  return new Promise((resolve) => {
    const req = request({ ...target, path: '/_ping', timeout: 1000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    req.on('timeout', () => req.destroy(new Error('no answer')));
    req.on('error', () => resolve(false));
    req.end();
  });
}

async function fetchKafka(target, log) {
  log(`fetching Kafka ${KAFKA_VERSION} from Maven Central (56 MB, once)`);
  await fetchJars(join(here, 'services', 'kafka', 'pom.xml'), target);
}

async function fetchZooKeeper(target, log) {
  log(`fetching ZooKeeper ${ZOOKEEPER_VERSION} from Maven Central (13 MB, once)`);
  await fetchJars(join(here, 'services', 'cluster', 'zookeeper', 'pom.xml'), target);
}

/** Downloads the dependencies of a POM as files into one folder. */
async function fetchJars(pom, target) {
  await makeOnce(target, (dir) =>
    run('mvn', [
      '-q',
      '-B',
      '-f',
      pom,
      'dependency:copy-dependencies',
      `-DoutputDirectory=${dir}`,
      '-DincludeScope=runtime',
    ]),
  );
}

async function fetchRegistry(target, log) {
  log(`fetching Apicurio Registry ${REGISTRY_VERSION} from Maven Central (109 MB, once)`);
  await makeOnce(target, async (dir) => {
    const archive = join(dir, 'registry.tar.gz');
    // Maven Central lacks its parent POM. This old version of the plugin does not need it if no transitive dependencies
    // are requested.
    await run('mvn', [
      '-q',
      '-B',
      'org.apache.maven.plugins:maven-dependency-plugin:2.8:get',
      `-Dartifact=io.apicurio:apicurio-registry-app:${REGISTRY_VERSION}:tar.gz:all`,
      '-Dtransitive=false',
      `-Ddest=${archive}`,
    ]);
    await run('tar', ['xzf', archive, '-C', dir]);
    rmSync(archive);
  });
}

/**
 * @returns {{ command: string, libraries: string } | undefined} PgBouncer as unpacked by this installer, and the folder
 * of its libraries
 */
export function pgBouncerProgram(files = serviceFiles()) {
  const command = findProgram('pgbouncer', join(files.pgbouncer, 'usr', 'sbin'));
  const libraries = join(files.pgbouncer, 'usr', 'lib', 'x86_64-linux-gnu');
  return command && { command, libraries };
}

async function fetchPrometheus(target, log) {
  log('fetching Prometheus from Debian (19 MB, once)');
  await unpackDebian(target, ['prometheus'], {
    missing: 'The tests check dashboards and alert rules and these programs are missing:\n  prometheus, promtool',
    elsewhere: 'https://prometheus.io/download',
  });
}

async function fetchPgBouncer(target, log) {
  log('fetching PgBouncer from Debian (1 MB, once)');
  await unpackDebian(target, ['pgbouncer', 'libc-ares2', 'libevent-2.1-7'], {
    missing: 'The tests connect to PostgreSQL through a pooler and this program is missing:\n  pgbouncer',
    elsewhere: 'https://www.pgbouncer.org',
  });
}

/**
 * @param {(line: string) => void} log
 * @returns {Promise<string>} path of libfaketime, which sets the clock of one process; downloaded from Debian if
 * missing
 */
export async function installFakeTime(log) {
  const { fakeTime } = serviceFiles();
  if (!existsSync(fakeTime)) {
    log('fetching libfaketime from Debian (30 kB, once)');
    await unpackDebian(fakeTime, ['libfaketime'], {
      missing: 'The soak of a cluster sets clocks and this library is missing:\n  libfaketime',
      elsewhere: 'https://github.com/wolfcw/libfaketime',
    });
  }
  return join(fakeTime, 'usr', 'lib', 'x86_64-linux-gnu', 'faketime', 'libfaketime.so.1');
}

/**
 * Unpacks packages instead of installing them, which needs no root rights. Installed, they would start a system service
 * that outlives the test run.
 */
async function unpackDebian(target, packages, { missing, elsewhere }) {
  if (findProgram('apt-get') === undefined || findProgram('dpkg-deb') === undefined)
    throw new MissingPrograms(
      `${missing}: on Debian or Ubuntu sudo apt-get install ${packages[0]}, elsewhere from ${elsewhere}`,
    );
  await makeOnce(target, async (dir) => {
    const download = () => run('apt-get', [...APT_GET, 'download', ...packages], { cwd: dir });
    await download().catch(async (error) => {
      if (process.getuid?.() !== 0) throw error;
      await run('apt-get', [...APT_GET, 'update']);
      await download();
    });
    for (const archive of readdirSync(dir).filter((name) => name.endsWith('.deb'))) {
      await run('dpkg-deb', ['-x', archive, '.'], { cwd: dir });
      rmSync(join(dir, archive));
    }
  });
}

/**
 * Installs everything that local service processes need. Services with a URL in the environment need nothing.
 * @param {{ log?: (line: string) => void, env?: NodeJS.ProcessEnv }} [options] `log` receives a line for every step
 * that takes time
 * @throws {MissingPrograms} with a message for the user
 */
export async function installServices({ log = () => {}, env = process.env } = {}) {
  const cache = servicesCache(env);
  const files = serviceFiles(cache);
  const given = Boolean(env.TEST_KAFKA_BROKERS && env.TEST_SCHEMA_REGISTRY_URL);
  // Also with a Docker engine: tests that kill or freeze a service start it as a local process.
  const local = !given;
  const needed = neededPrograms({ local, redis: !env.TEST_REDIS_URL });
  const stamp = join(cache, 'programs.json');
  const found = () => JSON.stringify(Object.fromEntries(needed.map((name) => [name, pathOf(name, env.PATH)])));
  // Checks the programs once for each set of paths: starting Java to read its version takes longer than all other
  // checks.
  const known = existsSync(stamp) && readFileSync(stamp, 'utf8') === found();
  if (!known) {
    await ensurePrograms(needed, log, cache);
    mkdirSync(cache, { recursive: true });
    writeFileSync(stamp, found());
  }
  const trainings = () => (local ? missingArchives(files) : []);
  if (downloads(files, local).length === 0 && trainings().length === 0) return files;
  await alone(async () => {
    removeLeftovers(cache, files);
    const wanted = downloads(files, local); // another setup may have downloaded them while this one waited
    await Promise.all(wanted.map((fetch) => fetch(log)));
    if (wanted.length > 0) log(`services are installed in ${cache}`);
    const missing = trainings();
    if (missing.length > 0) log('making Kafka and the schema registry start faster (once)');
    const without = (error) => log(`without success: ${error.message}`);
    await Promise.all(missing.map((train) => train().catch(without)));
  }, cache);
  return files;
}

/** Returns functions that create the missing class archives. */
function missingArchives(files) {
  const missing = [];
  if (!existsSync(files.kafkaClasses)) missing.push(() => trainKafka(files.kafkaJars, files.kafkaClasses));
  if (!existsSync(files.registryClasses)) missing.push(() => trainRegistry(registryJar(files), files.registryClasses));
  return missing;
}

/** Returns functions that download the missing files. */
function downloads(files, local) {
  const wanted = [];
  if (prometheusProgram('promtool', files) === undefined) wanted.push((log) => fetchPrometheus(files.prometheus, log));
  if (!existsSync(files.pgbouncer)) wanted.push((log) => fetchPgBouncer(files.pgbouncer, log));
  if (local && !existsSync(files.kafkaJars)) wanted.push((log) => fetchKafka(files.kafkaJars, log));
  if (local && !existsSync(files.zooKeeperJars)) wanted.push((log) => fetchZooKeeper(files.zooKeeperJars, log));
  if (local && !existsSync(files.registry)) wanted.push((log) => fetchRegistry(files.registry, log));
  return wanted;
}

/** Removes the remains of killed downloads. No other process downloads, because this one holds the lock. */
function removeLeftovers(cache, files) {
  const parts = Object.values(files).map((target) => `${basename(target)}.part-`);
  for (const name of readdirSync(cache))
    if (parts.some((part) => name.startsWith(part))) rmSync(join(cache, name), { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await installServices({ log: (line) => process.stderr.write(`${line}\n`) }).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}
